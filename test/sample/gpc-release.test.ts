import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, it } from 'vitest'
import { writeSample } from '../../data/sample/sample.ts'
import { releaseNodes } from './release-nodes.ts'
import { openDatabase, scratchFolder } from './scratch.ts'

const OLDER = 'sample-gpc-v20250701.json'
const NEWER = 'sample-gpc-v20260101.json'

const out = join(scratchFolder(), 'gpc')
const query = await openDatabase()
const count = async (sql: string): Promise<number> =>
  (await query<{ count: number }>(`SELECT count(*)::INTEGER AS count FROM ${sql}`))[0]!.count

const readRelease = (table: string, file: string) =>
  query(`CREATE TABLE ${table} AS ${releaseNodes(`${out}/gpc_release/${file}`)}`)

beforeAll(async () => {
  await writeSample({ out, listings: 50, months: 2, until: '2026-10-31', threads: 1 })
  await readRelease('older', OLDER)
  await readRelease('newer', NEWER)
})

it('the sample GPC release has its label in the file name', () => {
  expect(readdirSync(join(out, 'gpc_release')).sort()).toEqual([OLDER, NEWER])
})

it.each(['older', 'newer'])(
  'the %s sample GPC release nests its levels like the official file, each node once',
  async (release) => {
    const parents = `${release} AS node JOIN ${release} AS parent ON parent.code = node.parent`
    expect(await count(`${parents} WHERE node.level <> parent.level + 1`)).toBe(0)
    expect(await count(`(SELECT code FROM ${release} WHERE level < 5 GROUP BY code HAVING count(*) > 1)`)).toBe(0)
  },
)

it('the sample GPC release has some 300 nodes and 15 attributes', async () => {
  const levels = await query<{ level: number; nodes: number }>(
    'SELECT level, count(DISTINCT code)::INTEGER AS nodes FROM newer WHERE level < 6 GROUP BY level ORDER BY level',
  )
  expect(levels.map(({ nodes }) => nodes)).toEqual([15, 33, 81, 189, 15])
})

const bricksOnlyIn = async (release: string, other: string): Promise<string[]> => {
  const rows = await query<{ code: string }>(
    `SELECT code FROM ${release} ANTI JOIN ${other} USING (code) WHERE level = 4 ORDER BY code`,
  )
  return rows.map(({ code }) => code)
}

it('the newer sample GPC release retires four bricks of remaining classes and adds eight', async () => {
  const retired = ['10000111', '10000384', '10000636', '10000781']
  expect(await bricksOnlyIn('older', 'newer')).toEqual(retired)
  expect(await count(`older WHERE code IN ('${retired.join("','")}') AND parent IN (SELECT code FROM newer)`)).toBe(4)
  expect(await bricksOnlyIn('newer', 'older')).toEqual([
    '10008119',
    '10008145',
    '10008178',
    '10008179',
    '10008180',
    '10008372',
    '10008373',
    '10008377',
  ])
})

const standard = fileURLToPath(new URL('../../../shared/data/reference_gpc/', import.meta.url))
const absent = !existsSync(standard)

it.skipIf(absent)(
  `the sample GPC release uses codes of the standard${absent ? ' (skipped: there is no ../shared/data)' : ''}`,
  async () => {
    const read = (file: string, names: string) =>
      `read_csv('${standard}${file}.tsv.gz', delim = '\t', quote = '', header = false, names = ${names},
      all_varchar = true, null_padding = true)`
    const strangers = await query(`
    WITH older AS (
      SELECT code, list_position(['segment', 'family', 'class', 'brick'], level) AS level
      FROM ${read('gpc-v20251127-nodes', "['code', 'level']")}
      UNION ALL SELECT code, 5 FROM ${read('gpc-2020-06-attribute-types', "['code']")}
      UNION ALL SELECT code, 6 FROM ${read('gpc-2020-06-attribute-values', "['code']")}
    )
    SELECT DISTINCT level, code FROM newer ANTI JOIN older USING (level, code)`)
    expect(strangers).toEqual([])
  },
)

it.skipIf(absent)(
  `the sample GPC release retires codes that the standard has retired${absent ? ' (skipped: there is no ../shared/data)' : ''}`,
  async () => {
    const nodes = `read_csv('${standard}gpc-v20251127-nodes.tsv.gz', delim = '\t', quote = '', all_varchar = true)`
    expect(await count(`(FROM older ANTI JOIN newer USING (code)) AS gone JOIN ${nodes} AS node USING (code)`)).toBe(0)
  },
)
