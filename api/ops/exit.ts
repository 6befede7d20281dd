import { EngineError } from '../../engine/index.ts'
import { ConfigError } from './config.ts'

const BIND_ERROR_CODES = ['EADDRINUSE', 'EADDRNOTAVAIL', 'EACCES', 'ENOTFOUND']

/** Prints why the process could not start, and exits: with code 2 if a setting is invalid, else 3. */
export const exitWithError = (error: unknown): never => {
  const { code = '', message } = error as NodeJS.ErrnoException
  const isSetting = error instanceof ConfigError || BIND_ERROR_CODES.includes(code)
  const advice = BIND_ERROR_CODES.includes(code) ? '; set SHELFMARK_HOST and SHELFMARK_PORT to a free address' : ''
  const isExpected = isSetting || error instanceof EngineError
  process.stderr.write(`${isExpected ? `${message}${advice}` : (error as Error).stack}\n`)
  process.exit(isSetting ? 2 : 3)
}
