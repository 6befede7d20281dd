import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Engine, findQuery, readParams } from '../../engine/index.ts'
import { completeRefresh, writeDay } from './days.ts'
import { type Measured, Tally } from './figure.ts'

const queries = [
  ['analyst', 'inflation', { category: 'coffee', from: '2026-01-01', to: '2026-02-01', granularity: 'daily' }],
  ['marketing', 'competitive-landscape', { category: 'coffee' }],
] as const

/** Answers of an engine that stays on its snapshot while others refresh the lake. */
export const measurePinned = async (rounds: number): Promise<Measured> => {
  const folder = await mkdtemp(join(tmpdir(), 'shelfmark-pinned-'))
  const lake = join(folder, 'lake')
  const tally = new Tally()
  try {
    await completeRefresh(await writeDay(folder, 0), lake)
    const engine = await Engine.open(lake, { as_of: new Date('2026-01-20') })
    const answers = async (): Promise<string> => {
      const all: unknown[] = []
      for (const [group, name, params] of queries) {
        const query = findQuery(group, name)!
        all.push(await engine.run(await engine.plan(query, readParams(query, params))))
      }
      return JSON.stringify(all)
    }
    const before = await answers()
    for (let day = 1; day <= rounds; day++) {
      const code = await completeRefresh(await writeDay(folder, day), lake)
      const after = await answers().catch((error: Error) => error.message.split('\n')[0]!.replaceAll(folder, ''))
      tally.count(
        code !== 0 && `a refresh exited with ${code}`,
        after !== before && (after.startsWith('[') ? 'other bytes' : `no answer: ${after.slice(0, 80)}`),
      )
    }
    engine.close()
    return tally.measured(`${rounds} refreshes, ${tally.rounds - tally.losses} with the same bytes after`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
