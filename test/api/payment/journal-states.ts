// A process that opens the journal FILE at the time NOW, and before each change on the disk copies the folder of the
// journal to STATES/N: what would be there if the process were killed at that moment.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { dirname, join } from 'node:path'

const [file = '', now = '', states = ''] = process.argv.slice(2)
const { cpSync } = fs
let changes = 0
// A copy is made by the same functions.
let isCopying = false
const change = <Args extends unknown[], Result>(make: (...args: Args) => Result) => {
  return (...args: Args): Result => {
    if (!isCopying) {
      isCopying = true
      changes += 1
      cpSync(dirname(file), join(states, String(changes)), { recursive: true })
      isCopying = false
    }
    return make(...args)
  }
}
const { appendFileSync, fsyncSync, mkdirSync, renameSync, rmSync } = fs
const { openFileJournal } = await import('../../../api/payment/file-journal.ts')
Object.assign(fs, {
  appendFileSync: change(appendFileSync),
  fsyncSync: change(fsyncSync),
  mkdirSync: change(mkdirSync),
  renameSync: change(renameSync),
  rmSync: change(rmSync),
})
syncBuiltinESMExports()
await openFileJournal(file, { now: () => Number(now) })
process.exit(0)
