// Runs a query over LAKE while the process has no file descriptors left, and again later. Prints both results.
import { closeSync, openSync } from 'node:fs'
import { Engine, findQuery, readParams } from '../../engine/index.ts'

const engine = await Engine.open(process.argv[2]!, { connections: 1, as_of: new Date('2026-11-21') })
const query = findQuery('analyst', 'category-summary')!
const ask = async (days: string) =>
  engine.run(await engine.plan(query, readParams(query, { category: 'coffee', days })))
const outcomeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (cause) => `${cause.code}: ${cause.message}`,
  )

const answered = [await outcomeOf(ask('30'))]
const taken: number[] = []
try {
  for (;;) taken.push(openSync('/dev/null', 'r'))
} catch {}
answered.push(await outcomeOf(ask('31')), JSON.stringify(engine.state.damage))
await outcomeOf(engine.reload())
answered.push(JSON.stringify(engine.state.damage))
for (const descriptor of taken) closeSync(descriptor)
answered.push(await outcomeOf(engine.reload()), await outcomeOf(ask('32')), JSON.stringify(engine.state.damage))
process.stdout.write(JSON.stringify(answered))
engine.close()
