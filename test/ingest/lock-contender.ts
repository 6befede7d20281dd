// A process that wants a lake's lock for TURNS turns, each left as by a process that died: LAKE TURNS.
// It exits with 9 where another process is in its turn: an exclusive file tells.
import { closeSync, openSync, rmSync, symlinkSync } from 'node:fs'
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
    symlinkSync('999999999 1 dead', join(lake, 'refresh.lock'))
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'EEXIST' && String(cause).includes('witness')) process.exit(9)
    if (!(cause instanceof EngineError) && code !== 'EEXIST') throw cause
  }
}
