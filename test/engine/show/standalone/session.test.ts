import { beforeAll, describe, expect, test } from 'vitest'
import { EngineError } from '../../../../engine/index.ts'
import type { SnapshotFiles } from '../../../../engine/show/standalone/definitions.ts'
import { snapshotFiles } from '../../../../engine/show/standalone/read-rows.ts'
import { SqlInterrupted, SqlSession } from '../../../../engine/show/standalone/session.ts'
import { atEnd } from '../../../support/at-end.ts'
import { openEngine, sampleLake } from '../../../support/given.ts'
import { sessionRows } from '../../../support/session-rows.ts'

let files: SnapshotFiles
let session: SqlSession

const openSession = async (): Promise<SqlSession> => {
  const opened = await SqlSession.open(files)
  atEnd(() => opened.close())
  return opened
}

beforeAll(async () => {
  const { lake } = await sampleLake()
  files = snapshotFiles(await openEngine(lake), lake)
  session = await openSession()
})

const run = (sql: string, signal?: AbortSignal) => sessionRows(session, sql, signal)

const refusal = async (sql: string): Promise<EngineError> => {
  const cause = await run(sql).catch((thrown: unknown) => thrown)
  if (cause instanceof EngineError) return cause
  throw new Error(`${sql} is not refused: ${String(cause)}`)
}

describe('a statement may read', () => {
  test('every table of the snapshot by its own name', async () => {
    const isTable = ({ path }: { path: string }): boolean => path.endsWith('.parquet')
    const tables = new Set(files.files.filter(isTable).map(({ path }) => path.split(/[/.]/)[0]!))
    expect(tables.size).toBeGreaterThan(20)
    for (const table of tables) {
      const rows = files.files.filter(({ path }) => path.split(/[/.]/)[0] === table).map((file) => file.rows)
      const total = rows.reduce((sum, count) => sum + count, 0)
      expect(await run(`SELECT count(*) FROM ${table}`), table).toEqual([[total]])
    }
  })

  test('every macro of the queries, with correct results for past days too', async () => {
    const current = (before: string) => `current_listing('us', 0, 2147483647, DATE '2026-08-01', DATE '${before}')`
    const newest = (before: string) =>
      `SELECT max(last_day)::VARCHAR < '${before}', count(*) > 0 FROM ${current(before)}`
    expect(await run(newest('2026-11-21'))).toEqual([[true, true]])
    expect(await run(newest('2026-10-01'))).toEqual([[true, true]])
    const days = "DATE '2026-08-12', DATE '2026-11-05', '2026-08', '2026-11'"
    const periods = `listing_period('us', 0, 2147483647, NULL, NULL, 'month', ${days}, '2026-09', '2026-10')`
    expect(await run(`SELECT count(DISTINCT period) FROM ${periods}`)).toEqual([[4]])
    const observed = `observed_between('us', 0, 2147483647, NULL, NULL, ${days})`
    expect(await run(`SELECT make_timestamp_ms((observed_min * 1e3)::BIGINT)::DATE::VARCHAR FROM ${observed}`)).toEqual(
      [['2026-08-12']],
    )
    expect(await run("SELECT count(*) > 0 FROM coverage_cell(DATE '2026-08-01', DATE '2026-10-01')")).toEqual([[true]])
    expect(await run('SELECT thin_below(), on_promotion(NULL, 80, 100), plausible(100, 301)')).toEqual([
      [25, true, false],
    ])
  })
})

describe('statements', () => {
  test('in one text are run in order, and the last result is returned', async () => {
    expect(
      await run(`
        CREATE TEMP TABLE kept AS SELECT 'a;b' AS x; -- a comment; with a semicolon
        INSERT INTO kept VALUES ('c'), ($$d;e$$);
        SET VARIABLE least = 'b';
        /* SELECT 0; */ SELECT x FROM kept WHERE x > getvariable('least') ORDER BY x;
        CREATE VIEW later AS SELECT 1; ;
      `),
    ).toEqual([['c'], ['d;e']])
    expect(await run("SELECT count(*) FROM kept; SELECT 'last'")).toEqual([['last']])
  })

  test('without a result return null', async () => {
    expect(await run('SET VARIABLE x = 1')).toBeNull()
    expect(await run(' -- nothing\n')).toBeNull()
    expect(await run('')).toBeNull()
  })

  test('may pivot, describe and explain', async () => {
    expect(await run("PIVOT (SELECT 'a' AS k, 2 AS v) ON k USING sum(v)")).toEqual([[2]])
    expect(await run('DESCRIBE SELECT 1 AS a')).toHaveLength(1)
    expect(await run('SUMMARIZE SELECT 1 AS a')).toHaveLength(1)
    expect(await run('-- why\nEXPLAIN (ANALYZE, FORMAT json) SELECT count(*) FROM brands')).toHaveLength(1)
    expect(await run('explain analyze SELECT count(*) FROM brands; EXPLAIN FROM brands')).toHaveLength(1)
  })
})

describe('a read-only session', () => {
  const file = () => `${files.folder}/brands.parquet`

  test.each([
    ["COPY brand TO 'OUT'", /COPY/],
    ["COPY brand TO 'OUT' (FORMAT parquet, USE_TMP_FILE false)", /COPY is not allowed/],
    ["EXPLAIN ANALYZE COPY brand TO 'OUT' (FORMAT parquet, USE_TMP_FILE false)", /EXPLAIN of other than SELECT/],
    ["EXPLAIN /* */ ANALYZE COPY brand TO 'OUT' (FORMAT parquet, USE_TMP_FILE false)", /EXPLAIN of other than SELECT/],
    ["/* /* */ EXPLAIN SELECT 1 -- */ */ EXPLAIN COPY brand TO 'OUT' (FORMAT parquet, USE_TMP_FILE false)", /./],
    ["PREPARE p AS COPY brand TO 'OUT' (FORMAT parquet, USE_TMP_FILE false)", /PREPARE is not allowed/],
    ["SELECT 1; EXPORT DATABASE 'OUT.d'", /./],
    ["ATTACH 'OUT.duckdb' AS other", /./],
    ["ATTACH ':memory:' AS other", /ATTACH is not allowed/],
    ['DETACH memory', /DETACH is not allowed|detach/],
    ['INSTALL httpfs', /LOAD is not allowed/],
    ['LOAD httpfs', /LOAD is not allowed/],
    ['PRAGMA threads = 1', /locked|not allowed/],
    ['SET threads = 1', /locked/],
    ['SET enable_external_access = true', /./],
    ["SET allowed_paths = ['/']", /./],
    ["CALL enable_logging(storage = 'file', storage_config = {'path': 'OUT.d'})", /enable_logging is not allowed/],
    ["FROM enable_logging(storage = 'file', storage_config = {'path': 'OUT.d'})", /enable_logging is not allowed/],
    ['CALL checkpoint()', /CALL is not allowed/],
    ['CHECKPOINT', /not allowed/],
    ['BEGIN', /TRANSACTION is not allowed/],
    ["FROM read_text('/etc/passwd')", /sql only reads the files of the snapshot/],
    ["FROM read_csv('/etc/passwd')", /sql only reads the files of the snapshot/],
    ["FROM glob('/*')", /sql only reads the files of the snapshot/],
    ["FROM '/etc/passwd'", /does not exist/],
    ["FROM read_parquet('SNAPSHOT/new.parquet')", /sql only reads the files of the snapshot/],
    ['DELETE FROM brand', /./],
    ['DROP VIEW brand; SELECT 1; COPY (SELECT 1) TO stdout', /./],
  ])('refuses %s', async (sql, reason) => {
    session = await openSession()
    const { code, message } = await refusal(sql.replaceAll('OUT', file()).replaceAll('SNAPSHOT', files.folder))
    expect(code).toBe('INVALID_PARAMS')
    expect(message).toMatch(reason)
    expect(message).not.toContain('\n')
  })

  test('leaves the files of the snapshot unchanged', async () => {
    const { lake } = await sampleLake()
    await openEngine(lake)
  })
})

test('a statement that fails on a late row fails as a whole', async () => {
  session = await openSession()
  const { message } = await refusal(
    "SELECT CASE WHEN range = 2900000 THEN error('late') ELSE range END FROM range(3000000)",
  )
  expect(message).toContain('late')
})

describe('an error message', () => {
  beforeAll(async () => {
    session = await openSession()
  })

  test.each([
    ['SELECT 1;\nSELEC 2', 'line 2, column 1: syntax error at or near "SELEC"'],
    [
      'SELECT 1;\n\n  SELECT nothing FROM brands;',
      'line 3, column 10: Referenced column "nothing" not found in FROM clause',
    ],
    ["SELECT 'é',\n  nowhere()", 'line 2, column 3: Scalar Function with name nowhere does not exist'],
    ["SELECT 'é' AS é, nowhere()", 'line 1, column 18: Scalar Function'],
    ["SELECT 1;\nSELECT\n 'x'::INTEGER", "line 3, column 5: Could not convert string 'x' to INT32"],
    ['SELECT 1; COPY (SELECT 1) TO stdout', 'line 1, column 11: Cannot access file "/dev/stdout"'],
  ])('for %j is one line with the position', async (sql, message) => {
    const error = await refusal(sql)
    expect(error.message).toContain(message)
    expect(error.message).not.toContain('\n')
    expect(error.code).toBe('INVALID_PARAMS')
  })
})

test('an interrupted statement leaves the session usable', async () => {
  const long = 'SELECT count(*) FROM range(1000000000000) a'
  const interrupted = new AbortController()
  const running = run(long, interrupted.signal)
  setImmediate(() => interrupted.abort())
  await expect(running).rejects.toThrow(SqlInterrupted)
  expect(await run('SELECT 1')).toEqual([[1]])
})

test('values have the same form as in answers', async () => {
  const rows = await run(`
    SELECT NULL, 1::BIGINT, 9007199254740993, sum(2), 1.25, 'x', true, DATE '2026-11-20', TIMESTAMP '2026-11-20 10:00:00',
           TIMESTAMP '2026-11-20 10:00:00.5', [1, NULL], {'day': DATE '2026-11-20', 'n': [1.5]}, MAP {'k': 1}, 1::UBIGINT
  `)
  expect(rows).toEqual([
    [
      null,
      1,
      '9007199254740993',
      2,
      1.25,
      'x',
      true,
      '2026-11-20',
      '2026-11-20T10:00:00Z',
      '2026-11-20T10:00:00.5Z',
      [1, null],
      { day: '2026-11-20', n: [1.5] },
      { k: 1 },
      '1',
    ],
  ])
})
