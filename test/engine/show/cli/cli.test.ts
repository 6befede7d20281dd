import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { tableFromIPC } from 'apache-arrow'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Engine, findQuery, readParams } from '../../../../engine/index.ts'
import { runCli, type Sink } from '../../../../engine/show/cli.ts'
import { compiled } from '../../../support/compiled.ts'
import { sampleLake } from '../../../support/given.ts'
import { withoutNotice } from '../../../support/notices.ts'

let sample: Awaited<ReturnType<typeof sampleLake>>
beforeAll(async () => {
  sample = await sampleLake()
})

const folders: string[] = []
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true })
})

const sink = (isTerminal: boolean) => {
  const chunks: Buffer[] = []
  const write = (chunk: string | Uint8Array) => chunks.push(Buffer.from(chunk))
  const stream: Sink = { write, isTerminal, hasColours: false, columns: 80 }
  return { stream, text: () => Buffer.concat(chunks).toString(), bytes: () => Buffer.concat(chunks) }
}

/** Runs a command line in this process over the sample lake. */
const run = async (line: string, isTerminal = false) => {
  const [out, err] = [sink(isTerminal), sink(isTerminal)]
  const settings = { lake: sample.lake, as_of: sample.as_of.toISOString() }
  const code = await runCli(line.split(' '), { stdout: out.stream, stderr: err.stream }, settings)
  return { code, out: out.text(), err: withoutNotice(err.text()), bytes: out.bytes() }
}

const answerOf = async (group: string, name: string, given: Record<string, string>) => {
  const engine = await Engine.open(sample.lake, { as_of: sample.as_of })
  try {
    const query = findQuery(group, name)!
    return await engine.run(await engine.plan(query, readParams(query, given)))
  } finally {
    engine.close()
  }
}

const inflation = 'analyst inflation --category coffee --days 365'

describe('an answer', () => {
  it('is the JSON of the engine when piped or with --json', async () => {
    const json = `${JSON.stringify(await answerOf('analyst', 'inflation', { category: 'coffee', days: '365' }))}\n`
    expect(await run(inflation)).toMatchObject({ code: 0, out: json, err: '' })
    expect(await run(`${inflation} --json`, true)).toMatchObject({ code: 0, out: json, err: '' })
  })

  it('is a formatted page on a terminal', async () => {
    const { code, out, err } = await run(inflation, true)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/^Coffee, United States, .*: like-for-like change [+-]/)
    expect(out).toMatch(/\nMatched listings: \d+\.\n/)
    expect(out).toMatch(/\n\w[\w ]* price {2}\$[\d.]+ → .*\n[▁▂▃▄▅▆▇█ ]+\n2025-11-01 +2026-11-01\n/)
    for (const line of out.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80)
  })

  it('has the same rows as CSV and as Arrow', async () => {
    const { time_series } = (await answerOf('analyst', 'inflation', { category: 'coffee', days: '365' })) as {
      time_series: { date: string; median_price: number }[]
    }
    const [head, ...rows] = (await run(`${inflation} --csv`)).out.trimEnd().split('\r\n')
    const place = head?.split(',').indexOf('median_price') ?? -1
    expect(rows.map((row) => Number(row.split(',')[place]))).toEqual(time_series.map((point) => point.median_price))
    const table = tableFromIPC((await run(`${inflation} --arrow`)).bytes)
    expect([...(table.getChild('median_price') ?? [])]).toEqual(time_series.map((point) => point.median_price))
  })

  it('is explained by --explain with its definition, plan, SQL and reads', async () => {
    const { code, out } = await run(`${inflation} --explain`)
    const { definition, plan, sql, reads, milliseconds } = JSON.parse(out)
    expect(code).toBe(0)
    expect(definition).toEqual(findQuery('analyst', 'inflation')?.definition)
    expect(plan).toMatchObject({ query: 'analyst/inflation', params: { category: 'coffee', days: 365 } })
    expect(sql).toMatch(/^-- observed\nWITH observed_between AS NOT MATERIALIZED /)
    expect(sql).toMatch(/;\n\n-- series\nWITH scope_month AS NOT MATERIALIZED /)
    expect(reads.files).toBeGreaterThan(0)
    expect(reads.by_table.listing_months.rows).toBeGreaterThan(0)
    expect(reads.by_table).not.toHaveProperty('unknown')
    expect(milliseconds).toBeGreaterThan(0)
    expect((await run(`${inflation} --explain`, true)).out).toMatch(/\nreads\ntable +scans +files +rows\n/)
  })

  it('is explained as read from memory where no file is read', async () => {
    const offers = 'shopper best-price --q coffee --explain'
    const { from_memory, reads, sql } = JSON.parse((await run(offers)).out)
    expect({ from_memory, files: reads.files }).toEqual({ from_memory: true, files: 0 })
    expect(sql).toMatch(/^-- offers\nWITH current_listing AS NOT MATERIALIZED /)
    expect((await run(offers, true)).out).toContain('\nreads\nFrom memory: no statement is run')
    const earlier = JSON.parse((await run(`${offers} --as-of 2026-10-20`)).out)
    expect(earlier).toMatchObject({ from_memory: false })
    expect(earlier.reads.files).toBeGreaterThan(0)
  })
})

describe('a refusal', () => {
  it('is JSON on standard error when piped and a message on a terminal', async () => {
    const piped = await run('analyst inflation --category zzzzqqqq')
    expect(piped).toMatchObject({ code: 2, out: '' })
    expect(JSON.parse(piped.err)).toMatchObject({
      error: { code: 'INVALID_PARAMS', message: expect.stringContaining('zzzzqqqq'), details: { input: 'zzzzqqqq' } },
    })
    const onTerminal = await run('analyst inflation --category zzzzqqqq', true)
    expect(onTerminal).toMatchObject({ code: 2, out: '' })
    expect(onTerminal.err).toMatch(/^shelfmark: --category: no category/)
    expect((await run('analyst inflation --category zzzzqqqq --json', true)).err).toMatch(/^\{"error":[^\n]*\n$/)
  })

  it('for a retailer that is not serving exits with 1 and names the serving ones', async () => {
    const { code, err } = await run('analyst retailer-index --retailer nowhere', true)
    expect(code).toBe(1)
    expect(err).toMatch(/serving eligible retailers: \w+/)
  })

  it('for an empty lake says how to fill it', async () => {
    const lake = await mkdtemp(join(tmpdir(), 'shelfmark-empty-'))
    folders.push(lake)
    const { code, err } = await run(`public stats --lake ${lake}`, true)
    expect(code).toBe(1)
    expect(err.replace(/\s+/g, ' ')).toContain(`npm run -s refresh -- --feeds data/feeds --lake ${lake}`)
  })

  it('for an internal failure exits with 3', async () => {
    const [out, err] = [sink(false), sink(true)]
    const full = () => {
      throw new Error('no space left on device')
    }
    const terminal = { stdout: { ...out.stream, write: full }, stderr: err.stream }
    expect(await runCli(['public', 'stats'], terminal, { lake: sample.lake })).toBe(3)
    // On a slow machine a notice comes first.
    expect(err.text()).toMatch(/shelfmark: internal failure\nError: no space left on device\n +at /)
  })
})

describe('the command shelfmark', () => {
  const argv = [compiled('engine/main.ts')]
  const env = () => ({ ...process.env, SHELFMARK_LAKE: sample.lake, SHELFMARK_AS_OF: sample.as_of.toISOString() })

  it('writes the answer to a process that reads its output', async () => {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [...argv, 'public', 'stats'], { env: env() })
    expect(stdout).toBe(`${JSON.stringify(await answerOf('public', 'stats', {}))}\n`)
    expect(stderr).toBe('')
  })

  it('exits with 2 on wrong usage', async () => {
    const wrong = promisify(execFile)(process.execPath, [...argv, 'public', 'stat'], { env: env() })
    await expect(wrong).rejects.toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('stats?') })
  })

  it('exits quietly when the reader of its output has closed', async () => {
    const child = spawn(process.execPath, [...argv, 'public', 'stats'], {
      env: env(),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stdout.destroy()
    let err = ''
    child.stderr.on('data', (chunk) => {
      err += chunk
    })
    const [code] = await once(child, 'close')
    expect({ code, err }).toEqual({ code: 0, err: '' })
  })
})
