// A process that takes a lake's lock for TURNS turns and damages the lock file after each: LAKE TURNS.
// It exits with 9 where another process holds the lock, which an exclusive file shows.
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { EngineError } from '../../engine/index.ts'
import { withLock } from '../../ingest/snapshot/lock.ts'

const [lake, turns] = process.argv.slice(2) as [string, string]
const witness = join(lake, 'witness')

const turn = async () => {
  closeSync(openSync(witness, 'wx'))
  await pause(1)
  rmSync(witness)
}

for (let taken = 0; taken < Number(turns); ) {
  try {
    await withLock(lake, turn)
    taken += 1
    writeFileSync(join(lake, 'lock.duckdb'), 'damaged')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'EEXIST') process.exit(9)
    if (!(cause instanceof EngineError)) throw cause
  }
}
