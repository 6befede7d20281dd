#!/usr/bin/env node
import { ConfigError, readConfig } from './config.ts'
import { serve } from './serve.ts'

try {
  await serve(readConfig(process.env))
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error)
  process.exit(error instanceof ConfigError ? 2 : 3)
}
