import { readFileSync } from 'node:fs'
import { ConfigError } from './config.ts'

const FILE = '.env'

/** Quoted values may contain anything, including line breaks. */
const QUOTED = /=[ \t]*(["'`])[\s\S]*?\1/g
const LINE = /^\s*(#.*|(export\s+)?[A-Za-z_][\w.-]*\s*=.*)?$/

/**
 * Sets the variables of `.env` in the working directory, if it exists; variables that are set already keep their
 * values. Throws ConfigError for a file that cannot be read, and for a line that is neither empty, a comment nor
 * NAME=value, which Node would skip silently.
 */
export const loadEnvFile = (): void => {
  let text: string
  try {
    text = readFileSync(FILE, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return
    throw new ConfigError(`${FILE} cannot be read: ${message}`)
  }
  const lines = text
    .replace(QUOTED, (value) => `=${value.replace(/[^\n]/g, '')}`.replaceAll('\n', '\n#'))
    .split(/\r?\n/)
  const wrong = lines.findIndex((line) => !LINE.test(line))
  if (wrong >= 0)
    throw new ConfigError(`${FILE}, line ${wrong + 1}: expected NAME=value or a comment that starts with #`)
  process.loadEnvFile(FILE)
}
