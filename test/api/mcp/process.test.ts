import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface, type Interface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { version } from '../../../engine/index.ts'
import { compiled } from '../../support/compiled.ts'
import { sized } from '../../support/full-size.ts'
import { sampleLake } from '../../support/given.ts'

let lake: string
let as_of: string

beforeAll(async () => {
  const sample = await sampleLake()
  lake = sample.lake
  as_of = sample.as_of.toISOString()
})

const start = (...args: string[]): ChildProcess => {
  const { PATH = '' } = process.env
  const env = { PATH, SHELFMARK_AS_OF: as_of, SHELFMARK_THREADS: '1' }
  const child = spawn(process.execPath, [compiled('api/mcp/main.ts'), ...args], { env, stdio: 'pipe' })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

const ended = async (child: ChildProcess) => {
  const closed = once(child, 'close')
  child.stdin!.end()
  const [stdout, stderr] = await Promise.all([text(child.stdout!), text(child.stderr!)])
  const [code] = await closed
  return { code, stdout, stderr }
}

describe('shelfmark-mcp', () => {
  test('has help and a version', async () => {
    const help = await ended(start('--help'))
    expect(help).toMatchObject({ code: 0, stdout: expect.stringMatching(/^shelfmark-mcp: /), stderr: '' })
    for (const option of ['--lake', '--url', '--network', '--max-price', '--budget'])
      expect(help.stdout).toContain(option)
    expect(await ended(start('--version'))).toEqual({ code: 0, stdout: `${version()}\n`, stderr: '' })
  })

  const wrong: [args: string[], message: RegExp][] = [
    [['--wallet', 'x'], /^unknown option --wallet; --help lists the options$/m],
    [['extra'], /extra/],
    [['--lake', ''], /^--lake: is empty; send a value or omit the option$/m],
    [['--lake', 'a', '--url', 'http://b'], /^--lake and --url cannot be combined; send one$/m],
    [['--budget', '2'], /^--budget: expected with --url only; a lake is free of charge$/m],
    [['--url', 'ftp://b'], /^--url: expected an address such as http:\/\/127\.0\.0\.1:8402, got "ftp:\/\/b"$/m],
    [['--url', 'http://b', '--network', 'x'], /^--network: expected one of base, solana, tempo, got "x"$/m],
    [['--url', 'http://b', '--budget', '-1'], /--budget/],
    [['--url', 'http://b', '--budget', '1e9'], /^--budget: expected dollars such as 1\.00, got "1e9"$/m],
    [['--url', 'http://b', '--max-price', '2'], /^--max-price: expected at most 1, got 2$/m],
  ]
  test('refuses wrong usage with exit code 2 and without output', async () => {
    const results = await Promise.all(wrong.map(([args]) => ended(start(...args))))
    for (const [i, [args, message]] of wrong.entries())
      expect(results[i], args.join(' ')).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(message) })
  })
})

/** A connection whose lines the test writes itself. */
const connection = async () => {
  const child = start('--lake', lake)
  const lines: Interface = createInterface(child.stdout!)
  const received: Record<string, unknown>[] = []
  lines.on('line', (line) => received.push(JSON.parse(line)))
  let errors = ''
  child.stderr!.on('data', (chunk) => {
    errors += chunk
  })
  const send = (message: object) => child.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const reply = async (id: number) => {
    while (!received.some((message) => message.id === id)) await once(lines, 'line')
    return received.find((message) => message.id === id)!
  }
  const clientInfo = { name: 'test', version: '1' }
  send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } })
  await reply(1)
  send({ method: 'notifications/initialized' })
  const exit = once(child, 'close').then(([code, signal]) => ({ code, signal }))
  return { child, send, reply, exit, received, errors: () => errors }
}

const slow = (id: number) => ({
  id,
  method: 'tools/call',
  params: { name: 'ask', arguments: { query: 'analyst/inflation', params: { department: 'grocery', days: 800 + id } } },
})

describe('a connection over standard streams', () => {
  test.each(['end of input', 'SIGTERM', 'closed output', ...sized([], ['SIGINT'])])(
    'ends at once with exit code 0 at the %s, even during queries',
    async (how) => {
      const { child, send, reply, exit } = await connection()
      send({ id: 2, method: 'ping' })
      await reply(2)
      for (let id = 10; id < 40; id += 1) send(slow(id))
      await reply(10)
      if (how === 'end of input') child.stdin!.end()
      else if (how === 'closed output') child.stdout!.destroy()
      else child.kill(how as NodeJS.Signals)
      expect(await exit).toEqual({ code: 0, signal: null })
    },
  )

  test('survives lines that are no messages', async () => {
    const { child, send, reply, errors } = await connection()
    for (const line of ['nonsense', '{}', '[]', '{"jsonrpc":"2.0","id":5}', '\u0000', ''])
      child.stdin!.write(`${line}\n`)
    send({ id: 6, method: 'no/such/method' })
    expect(await reply(6)).toMatchObject({ error: { code: -32601 } })
    send({ id: 7, method: 'tools/call', params: { name: 'none' } })
    expect(await reply(7)).toMatchObject({ error: { code: -32602 } })
    expect(errors()).toMatch(/^shelfmark-mcp: /)
  })

  test('ends when a line is longer than a request can be', async () => {
    const { child, exit, errors } = await connection()
    child.stdin!.on('error', () => {})
    child.stdin!.write('x'.repeat(1_100_000))
    expect(await exit).toMatchObject({ signal: null })
    expect(errors()).toContain('exceeded maximum size')
  })

  test('cancels a query that its host cancels, and answers the next ones', async () => {
    const { send, reply, received } = await connection()
    for (let id = 10; id < 30; id += 1) send(slow(id))
    for (let id = 10; id < 30; id += 1)
      send({ method: 'notifications/cancelled', params: { requestId: id, reason: 'changed my mind' } })
    send({ id: 50, method: 'tools/call', params: { name: 'ask', arguments: { query: 'public/stats' } } })
    expect(await reply(50)).toMatchObject({ result: { structuredContent: { query: 'public/stats' } } })
    expect(received.filter(({ id }) => Number(id) >= 10 && Number(id) < 30).length).toBeLessThan(20)
  })
})
