import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { parseQueryString } from '../../api/http/query-string.ts'
import { runCli } from '../../engine/show/cli.ts'
import { sized } from '../support/full-size.ts'
import { type Service, serveSample } from '../support/http.ts'
import { queryPaths } from '../support/query-strings.ts'

const QUERIES = sized(10, 50)

let service: Service
beforeAll(async () => {
  service = await serveSample()
})

/** The output and exit code of the command line for the query of a path. */
const runCommandLine = async (path: string): Promise<{ code: number; written: string }> => {
  const { pathname } = new URL(path, 'http://127.0.0.1')
  const given = Object.entries(parseQueryString(path.split('?')[1] ?? '')).map(([name, value]) => `--${name}=${value}`)
  const chunks: string[] = []
  const write = (chunk: string | Uint8Array) => chunks.push(String(chunk))
  const sink = { write, isTerminal: false, hasColours: false, columns: 80 }
  const { lake, as_of } = service.config
  const argv = [...pathname.split('/').slice(2), ...given, '--json']
  const code = await runCli(argv, { stdout: sink, stderr: sink }, { lake, as_of: as_of?.toISOString() })
  return { code, written: chunks.join('') }
}

test(`${QUERIES} queries have the same bytes over HTTP and on the command line`, { timeout: 120_000 }, async () => {
  const answered: string[] = []
  for (const path of fc.sample(queryPaths, { numRuns: 10 * QUERIES, seed: 1 })) {
    const { status, body } = await service.get(path)
    if (status !== 200) continue
    expect(await runCommandLine(path), path).toEqual({ code: 0, written: `${body}\n` })
    if (answered.push(path) === QUERIES) break
  }
  expect(answered).toHaveLength(QUERIES)
})

/** A refusal has the same code and message everywhere, which over HTTP names requests. */
const withoutRequests = (text: string): string => text.replaceAll(/GET \/v1\/([\w-]+\/[\w-]+)/g, 'the query $1')

test('refusals have the same code and message over HTTP and on the command line', async () => {
  for (const address of [
    'analyst/inflation?category=zzxxqq',
    'analyst/inflation?category=coffee&country=mx',
    'analyst/inflation?category=coffee&retailer=nobody',
    'marketing/brand-tracker?brand=zzxxqq',
  ]) {
    const { error } = JSON.parse(withoutRequests((await service.get(`/v1/${address}`)).body))
    const { code, written } = await runCommandLine(`/v1/${address}`)
    expect(JSON.parse(written).error, address).toEqual(error)
    expect(code, address).toBe(error.code === 'INVALID_PARAMS' ? 2 : 1)
  }
})
