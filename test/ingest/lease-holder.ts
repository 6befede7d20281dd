// A process that holds leases on a snapshot until it is killed: LAKE ID [TIMES]. It says `held`, or why it holds none.
import { takeLease } from '../../engine/index.ts'

const [lake, id, times = '1'] = process.argv.slice(2) as [string, string, string?]
const leases = []
for (let taken = 0; taken < Number(times); taken += 1) leases.push(await takeLease(lake, id))
// One more that is given back, which must not release the others.
if (Number(times) > 1) leases.pop()!.release()
const problem = leases.map((lease) => lease.problem).find((reason) => reason !== null)
process.stdout.write(problem ?? 'held')
setInterval(() => {}, 60_000)
