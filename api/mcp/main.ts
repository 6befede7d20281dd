#!/usr/bin/env node
import { programText } from '../../engine/contract/program.ts'
import { USAGE } from './help.ts'

const args = process.argv.slice(2)
const text = programText(args, USAGE)
if (text === undefined) process.exitCode = await (await import('./run.ts')).run(args, process.env)
else process.stdout.write(text)
