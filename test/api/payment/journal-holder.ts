// A process that holds the journal FILE until it is killed. It says `held`, or why it does not hold it.
import { openFileJournal } from '../../../api/payment/file-journal.ts'

try {
  await openFileJournal(process.argv[2]!)
  process.stdout.write('held')
  setInterval(() => {}, 60_000)
} catch (error) {
  process.stdout.write((error as Error).message)
}
