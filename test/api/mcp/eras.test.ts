import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { describe, expect, test } from 'vitest'
import { atEnd } from '../../support/at-end.ts'
import { compiled } from '../../support/compiled.ts'
import { sampleLake } from '../../support/given.ts'
import { serveSample } from '../../support/http.ts'

const { lake, as_of } = await sampleLake()
const { port } = await serveSample()

const { PATH = '' } = process.env
const transports: Record<string, () => Transport> = {
  'standard streams': () =>
    new StdioClientTransport({
      command: process.execPath,
      args: [compiled('api/mcp/main.ts'), '--lake', lake],
      env: { PATH, SHELFMARK_THREADS: '1', SHELFMARK_AS_OF: as_of.toISOString() },
      stderr: 'pipe',
    }),
  HTTP: () => new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`)),
}
const APP = 'text/html;profile=mcp-app'
const modes = {
  '2026-07-28': { pin: '2026-07-28' },
  '2025-11-25': 'legacy',
  auto: 'auto',
} as const

const cases = Object.keys(transports).flatMap((over) =>
  (Object.keys(modes) as (keyof typeof modes)[]).map((mode) => [mode, over] as const),
)

describe.each(cases)('a client of 2.x in the mode %s over %s', (mode, over) => {
  test('negotiates, lists tools, asks, is refused and reads a definition', async () => {
    const extensions = mode === 'auto' ? {} : { 'io.modelcontextprotocol/ui': { mimeTypes: [APP] } }
    const options = { capabilities: { extensions }, versionNegotiation: { mode: modes[mode] } }
    const client = new Client({ name: 'test', version: '1.0.0' }, options)
    await client.connect(transports[over]!())
    atEnd(() => client.close())
    expect(client.getNegotiatedProtocolVersion()).toBe(mode === 'auto' ? '2026-07-28' : mode)
    expect(client.getServerVersion()?.name).toBe('shelfmark')
    expect(client.getInstructions()).toContain('list_queries')

    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name).slice(0, 3)).toEqual(['list_queries', 'describe_query', 'ask'])
    for (const { annotations } of tools) expect(annotations).toMatchObject({ readOnlyHint: true })

    const ask = (category: string) =>
      client.callTool({ name: 'ask', arguments: { query: 'analyst/inflation', params: { category } } })
    const answered = await ask('coffee')
    expect(answered.structuredContent).toMatchObject({ query: 'analyst/inflation' })
    expect(answered.content).toHaveLength(1)
    expect(await ask('zzqq')).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'INVALID_PARAMS' } },
    })

    const { _meta: { ui } = {} } = tools.find(({ name }) => name === 'ask') ?? {}
    const { resourceUri: uri } = ui as { resourceUri: string }
    expect((await client.readResource({ uri })).contents).toMatchObject([
      { uri, mimeType: APP, text: expect.stringMatching(/^<!doctype html>/) },
    ])
    // Without a session a service forgets what a client of 2025-11-25 said first.
    const isShown = mode === '2026-07-28' || (mode === '2025-11-25' && over === 'standard streams')
    const svg = isShown ? expect.stringMatching(/^<svg .*Price change of Coffee/i) : undefined
    // The first answers of a service do not wait for what draws plots.
    const plotOf = async () => (await ask('coffee'))._meta?.['shelfmark/svg']
    await expect.poll(plotOf, { timeout: 60_000 }).toEqual(svg)

    const { contents } = await client.readResource({ uri: 'shelfmark://queries/analyst/inflation' })
    expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({ query: 'analyst/inflation' })
  })
})

test('a message of 2026-07-28 is answered in one request, and may be cached', async () => {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const send = async (method: string, params: object = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
      signal: AbortSignal.timeout(10_000),
    })
    return (await response.json()) as { result?: object; error?: object }
  }
  expect((await send('server/discover')).result).toMatchObject({ resultType: 'complete', ttlMs: 3_600_000 })
  expect((await send('tools/list')).result).toMatchObject({ cacheScope: 'public' })
  // Nothing changes that a client could listen for.
  expect((await send('subscriptions/listen', { notifications: { toolsListChanged: true } })).error).toBeDefined()
})
