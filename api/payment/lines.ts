import { closeSync, openSync, readSync } from 'node:fs'

const CHUNK_BYTES = 4 * 1024 * 1024
const NEWLINE = 10

const openOrNull = (path: string): number | null => {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/**
 * The lines of a file, none if it is missing. A last line without a newline was cut off by a crash or is being written:
 * it is omitted.
 */
export function* readLines(path: string): Generator<string> {
  const file = openOrNull(path)
  if (file === null) return
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
    let rest = Buffer.alloc(0)
    for (let size = readSync(file, chunk); size > 0; size = readSync(file, chunk)) {
      const read = chunk.subarray(0, size)
      const end = read.lastIndexOf(NEWLINE)
      const whole = Buffer.concat([rest, read.subarray(0, end + 1)])
      if (end < 0) rest = Buffer.concat([rest, read])
      else {
        rest = Buffer.from(read.subarray(end + 1))
        yield* whole.toString('utf8', 0, whole.length - 1).split('\n')
      }
    }
  } finally {
    closeSync(file)
  }
}
