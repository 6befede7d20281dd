import { writeFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BenchOptions } from '../options.ts'
import { ensureLakes } from './lakes.ts'
import { linesOf, type Recorded, readRecorded, record } from './record.ts'

const repository = fileURLToPath(new URL('../..', import.meta.url))

/** Recorded answers contain data that must not be in the repository. */
const refuseInside = (file: string): void => {
  if (!relative(repository, resolve(file)).startsWith('..'))
    throw new Error(`--out ${file}: expected a file outside the repository`)
}

type AnswerSummary = {
  lake: string
  query: string
  queries: number
  answered: number
  refused: number
  different?: number
}

const isRefusal = ({ answer }: Recorded): boolean => /^[A-Z_]+$/.test(answer)

const summaryOf = (lines: readonly Recorded[], different: ReadonlySet<Recorded> | null): AnswerSummary[] => {
  const rows = new Map<string, AnswerSummary>()
  for (const line of lines) {
    const { lake, query } = line
    const row = rows.get(`${lake} ${query}`) ?? { lake, query, queries: 0, answered: 0, refused: 0 }
    row.queries += 1
    row[isRefusal(line) ? 'refused' : 'answered'] += 1
    if (different) row.different = (row.different ?? 0) + Number(different.has(line))
    rows.set(`${lake} ${query}`, row)
  }
  return [...rows.values()]
}

/**
 * Records the answers to random queries, to prove that a later change alters no byte: `out` is the file to write,
 * `against` an earlier one whose queries are run again. Sets the exit code to 1 where an answer differs.
 */
export const benchAnswers = async ({ cache, out, against }: BenchOptions): Promise<AnswerSummary[]> => {
  if (out !== undefined) refuseInside(out)
  const before = against === undefined ? null : readRecorded(against)
  const lakes = await ensureLakes(cache)
  const recorded: Recorded[] = []
  for (const lake of lakes) {
    const repeated = before?.filter((line) => line.lake === lake.name)
    recorded.push(...(await record(lake, repeated)))
  }
  if (out !== undefined) writeFileSync(out, linesOf(recorded))
  if (before === null) return summaryOf(recorded, null)
  const expected = before.filter(({ lake }) => lakes.some(({ name }) => name === lake))
  if (expected.length < before.length)
    console.error(`Left out ${before.length - expected.length} recorded answers: their lakes cannot be made here`)
  const ordered = lakes.flatMap(({ name }) => expected.filter(({ lake }) => lake === name))
  const different = recorded.filter(({ answer }, i) => answer !== ordered[i]?.answer)
  for (const line of different) {
    const expectedAnswer = ordered[recorded.indexOf(line)]?.answer
    console.error(
      `${line.lake} ${line.query} ${JSON.stringify(line.params)}: expected ${expectedAnswer}, got ${line.answer}`,
    )
  }
  if (different.length > 0) process.exitCode = 1
  return summaryOf(recorded, new Set(different))
}
