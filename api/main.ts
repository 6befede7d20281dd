#!/usr/bin/env node
import { readConfig } from './config.ts'
import { loadEnvFile } from './env-file.ts'
import { stopWithParents } from './family.ts'
import { giveUp, serve } from './serve.ts'

if (process.env.npm_lifecycle_event) stopWithParents()
try {
  loadEnvFile()
  await serve(readConfig(process.env))
} catch (error) {
  giveUp(error)
}
