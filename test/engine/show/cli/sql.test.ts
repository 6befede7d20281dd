import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tableFromIPC } from 'apache-arrow'
import { beforeAll, describe, expect, test } from 'vitest'
import { runCli, type Sink } from '../../../../engine/show/cli.ts'
import { atEnd } from '../../../support/at-end.ts'
import { compiled } from '../../../support/compiled.ts'
import { sampleLake, temporaryFolder } from '../../../support/given.ts'
import { plainDuckDB, rowsIn } from '../../../support/plain-duckdb.ts'

let sample: Awaited<ReturnType<typeof sampleLake>>
let folder: string
beforeAll(async () => {
  sample = await sampleLake()
  folder = await temporaryFolder()
})

const sink = (isTerminal: boolean) => {
  const chunks: Buffer[] = []
  const write = (chunk: string | Uint8Array) => chunks.push(Buffer.from(chunk))
  const stream: Sink = { write, isTerminal, hasColours: false, columns: 80 }
  return { stream, bytes: () => Buffer.concat(chunks) }
}

/** Runs `shelfmark sql` in this process over the sample lake. */
const sql = async (argv: readonly string[], isTerminal = false, onInterrupt = (_: () => void) => () => undefined) => {
  const [stdout, stderr] = [sink(isTerminal), sink(false)]
  const settings = { lake: sample.lake, as_of: sample.as_of.toISOString() }
  const terminal = { stdout: stdout.stream, stderr: stderr.stream, onInterrupt }
  const code = await runCli(['sql', ...argv], terminal, settings)
  return { code, out: stdout.bytes().toString(), err: stderr.bytes().toString(), bytes: stdout.bytes() }
}

const fileOf = async (name: string, text: string): Promise<string> => {
  const path = join(folder, name)
  await writeFile(path, text)
  return path
}

const ROWS = "SELECT * FROM (VALUES ('=1+1', 1, NULL), ('a\u001b[31m,b', 2, DATE '2026-11-20')) AS t(text, n, day)"

describe('shelfmark sql GROUP NAME', () => {
  test('prints the script of a query as of the configured time', async () => {
    const { code, out, err } = await sql(['marketing', 'share-of-shelf', '--category', 'coffee'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain('As of 2026-11-21T00:00:00Z')
    const [row] = await rowsIn(await plainDuckDB(), out)
    expect(row).toMatchObject({ n: expect.any(BigInt), brand: expect.any(Number) })
  })

  test('refuses what the query refuses, and options that do not apply', async () => {
    expect(await sql(['marketing', 'share-of-shelf'])).toMatchObject({ code: 2, out: '' })
    expect((await sql(['analyst', 'inflatoin'])).err).toContain('did you mean inflation?')
    expect((await sql(['analyst', 'inflation', '--category', 'coffee', '--csv'])).err).toContain(
      'cannot be combined with a script',
    )
    expect((await sql(['analyst', 'inflation', '--help'])).out).toContain('--granularity')
  })

  test('prints a script that sql FILE.sql can run', async () => {
    const { out } = await sql(['public', 'brands', '--limit', '3'])
    const { code, out: rows } = await sql([await fileOf('brands.sql', out)])
    expect(code).toBe(0)
    expect(JSON.parse(rows)[0].items).toHaveLength(3)
  })
})

describe('shelfmark sql with a statement or a file', () => {
  test('prints a table on a terminal and JSON elsewhere', async () => {
    const { out, code } = await sql([ROWS], true)
    expect(code).toBe(0)
    expect(out).toBe('text           n  day\n=1+1           1  –\na\\u001b[31m,b  2  2026-11-20\n2 rows\n')
    expect(JSON.parse((await sql([ROWS])).out)).toEqual([
      { text: '=1+1', n: 1, day: null },
      { text: 'a\u001b[31m,b', n: 2, day: '2026-11-20' },
    ])
    expect(JSON.parse((await sql(['SELECT 1 WHERE false'])).out)).toEqual([])
  })

  test('prints the first rows of a long result and names the columns that do not fit', async () => {
    const wide = Array.from({ length: 20 }, (_, i) => `'${'x'.repeat(9)}' AS column${i}`).join()
    const { out } = await sql([`SELECT range AS n, ${wide} FROM range(5000)`], true)
    expect(out).toContain('\n5,000 rows, the first 50 shown: --csv has all.\nNo room for: ')
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })

  test('writes CSV of every row, without formulas or control characters', async () => {
    expect((await sql([ROWS, '--csv'])).out).toBe('text,n,day\r\n\'=1+1,1,\r\n"a\\x1b[31m,b",2,2026-11-20\r\n')
    const { out } = await sql(['SELECT range AS n FROM range(5000)', '--csv'])
    expect(out.trimEnd().split('\r\n')).toHaveLength(5001)
  })

  test('writes Arrow', async () => {
    const table = tableFromIPC(
      (await sql([`SELECT range AS n, sum(range) OVER () AS total FROM range(3)`, '--arrow'])).bytes,
    )
    expect([...table.getChild('n')!]).toEqual([0n, 1n, 2n])
    expect([...table.getChild('total')!]).toEqual([3, 3, 3])
  })

  test('writes Parquet with the types of the result, but not into the lake', async () => {
    const file = join(folder, 'listings.parquet')
    const query = 'SELECT * FROM listings ORDER BY listing_id'
    expect(await sql([query, '--parquet', file])).toMatchObject({
      code: 0,
      out: '',
      err: expect.stringMatching(/: \d+ rows\n$/),
    })
    const connection = await plainDuckDB()
    const source = `read_parquet('${sample.lake}/snapshots/*/listings/*/*.parquet', hive_partitioning = true)`
    expect(await rowsIn(connection, `DESCRIBE FROM '${file}'`)).toEqual(
      await rowsIn(connection, `DESCRIBE FROM ${source}`),
    )
    const differences = `(FROM '${file}' EXCEPT FROM ${source}) UNION ALL (FROM ${source} EXCEPT FROM '${file}')`
    expect(await rowsIn(connection, differences)).toEqual([])
    expect(await sql(['SET VARIABLE n = 1', '--parquet', join(folder, 'x.parquet')])).toMatchObject({ code: 2 })
    expect(await sql([query, '--parquet', join(sample.lake, 'x.parquet')])).toMatchObject({
      code: 2,
      err: expect.stringContaining('which is read-only'),
    })
  })

  test('runs the statements of a file and prints the last result', async () => {
    const path = await fileOf(
      'several.sql',
      "SET VARIABLE n = 2;\nSELECT 1;\nSELECT getvariable('n') AS n;\nSET VARIABLE n = 3;",
    )
    expect(JSON.parse((await sql([path])).out)).toEqual([{ n: 2 }])
    expect((await sql([join(folder, 'none.sql')])).err).toContain('none.sql does not exist')
  })

  test('reports the message and position of an error', async () => {
    const { code, err, out } = await sql(['SELECT 1,\n  nothing FROM brands'], true)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err.replace(/\s+/g, ' ')).toContain('shelfmark: line 2, column 3: Referenced column "nothing" not found')
  })

  test('refuses options that cannot be combined', async () => {
    const message = async (...argv: string[]) => JSON.parse((await sql(argv)).err).error.message
    expect(await message('SELECT 1', '--csv', '--parquet', 'x.parquet')).toContain('cannot be combined')
    expect(await message('SELECT 1', '--csv', '--json')).toContain('cannot be combined')
    expect(await message('SELECT 1', '--as-of', '2026-01-01')).toContain('unknown option --as_of')
    expect(await message('SELECT 1', '--cvs')).toContain('did you mean --csv?')
    expect(await message('SELECT 1', '--overwrite')).toBe('--overwrite cannot be combined with your own SQL')
    expect(await message('SELECT 1', '--into', 'x.duckdb')).toContain('cannot be combined with --into')
    expect(await message('--into', 'x.duckdb', '--csv')).toBe('--csv cannot be combined with --into')
  })
})

test('sql --into writes a DuckDB file, but neither over an existing one nor into the lake', async () => {
  const file = join(folder, 'lake.duckdb')
  expect(await sql(['--into', file])).toMatchObject({
    code: 0,
    out: expect.stringContaining('views and macros over snapshot'),
  })
  expect(await sql(['--into', file])).toMatchObject({ code: 2, err: expect.stringContaining('send --overwrite') })
  expect(await sql(['--into', file, '--overwrite'])).toMatchObject({ code: 0 })
  expect(await sql(['--into', join(sample.lake, 'lake.duckdb')])).toMatchObject({ code: 2 })
  expect(await rowsIn(await plainDuckDB(file), 'SELECT count(*) > 0 AS is_read FROM listings')).toEqual([
    { is_read: true },
  ])
})

test('sql without arguments prints the same help as --help, within 80 columns', async () => {
  const { code, out } = await sql([])
  expect(code).toBe(0)
  expect((await sql(['--help'])).out).toBe(out)
  for (const line of out.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80)
  for (const option of ['csv', 'json', 'arrow', 'parquet', 'into', 'overwrite', 'lake', 'as-of'])
    expect(out).toContain(`--${option}`)
})

describe('Ctrl-C', () => {
  const LONG = 'SELECT count(*) FROM range(1000000000000)'

  test('interrupts the statement and exits with 130', async () => {
    const interruptAtOnce = (interrupt: () => void) => {
      setImmediate(interrupt)
      return () => undefined
    }
    expect(await sql([LONG], false, interruptAtOnce)).toMatchObject({ code: 130, out: '' })
  })

  test('interrupts the statement of a separate process too', async () => {
    const text = 'SELECT range FROM range(5000000)'
    const child = spawn(process.execPath, [compiled('engine/main.ts'), 'sql', text, '--csv', '--lake', sample.lake], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    atEnd(() => child.kill('SIGKILL'))
    let bytes = 0
    child.stdout.on('data', (chunk: Buffer) => {
      if (bytes === 0) child.kill('SIGINT')
      bytes += chunk.length
    })
    expect(await once(child, 'close')).toEqual([130, null])
    expect(bytes).toBeLessThan(20_000_000)
  })
})

test('data/sql.md names only macros that exist and statements that run', async () => {
  const page = readFileSync(new URL('../../../../data/sql.md', import.meta.url), 'utf8')
  const calls = [...page.matchAll(/^\| `(\w+)\(/gm)].map(([, name]) => name)
  expect(calls.length).toBeGreaterThan(5)
  const { out } = await sql(['SELECT DISTINCT function_name FROM duckdb_functions() WHERE NOT internal'])
  const macros = (JSON.parse(out) as { function_name: string }[]).map(({ function_name }) => function_name)
  expect(macros).toEqual(expect.arrayContaining(calls))
  for (const [, statement] of page.matchAll(/```sql\n([^`]+)```/g))
    expect(await sql([statement!]), statement).toMatchObject({ code: 0 })
})
