import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Service, serveSample } from '../support/http.ts'

const IDLE_MS = 300

let service: Service
beforeAll(async () => {
  service = await serveSample({ SHELFMARK_IDLE_MS: String(IDLE_MS), SHELFMARK_TIMEOUT_MS: '1000' })
})

const open = async (): Promise<Socket> => {
  const socket = connect(service.port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

/** Everything the service sends until it closes the connection. */
const received = async (socket: Socket): Promise<string> => {
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  await once(socket, 'close')
  return Buffer.concat(chunks).toString()
}

const send = async (bytes: string): Promise<string> => {
  const socket = await open()
  socket.write(bytes, 'latin1')
  return received(socket)
}

const expectProblem = (response: string, status: number, code: string): void => {
  const [head = '', body = ''] = response.split('\r\n\r\n')
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(head).toContain('\r\ncontent-type: application/problem+json')
  expect(head).toContain('\r\ncache-control: no-store')
  expect(JSON.parse(body)).toMatchObject({ type: 'about:blank', status, instance: '/', error: { code, details: {} } })
}

describe('a malformed request is refused with a problem document:', () => {
  test.each([
    ['no protocol', '/v1/public/stats\r\n\r\n'],
    ['an unknown method', 'BREW /v1/public/stats HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['bytes of another protocol', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost x\r\n\r\n'],
    ['two hosts', 'GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\nConnection: close\r\n\r\n'],
    ['no host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
  ])('%s', async (_, bytes) => {
    expectProblem(await send(bytes), 400, 'INVALID_PARAMS')
  })

  test('headers over 16 KiB', async () => {
    expectProblem(
      await send(`GET / HTTP/1.1\r\nHost: localhost\r\nX-A: ${'a'.repeat(17_000)}\r\n\r\n`),
      431,
      'HEADERS_TOO_LARGE',
    )
  })

  test('an address over 16 KiB', async () => {
    expectProblem(
      await send(`GET /${'a'.repeat(64 * 1024)} HTTP/1.1\r\nHost: localhost\r\n\r\n`),
      431,
      'HEADERS_TOO_LARGE',
    )
  })
})

test('a body of malformed chunks is no fault of the service', async () => {
  const head = 'POST /v1/batch HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
  await send(`${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n`)
  await send(`${head}Transfer-Encoding: chunked\r\n\r\n5\r\n{"a"\r\n-1\r\n`)
  const ended = await open()
  ended.end(`${head}Content-Length: 100\r\n\r\n{`)
  await received(ended)
  await service.get('/v1/public/stats')
  expect(service.log.filter(({ level }) => Number(level) > 30)).toEqual([])
})

test('an HTTP/1.0 request needs no Host header', async () => {
  expect(await send('GET /v1/public/stats HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 200 /)
})

test('a request may name the service itself in an absolute address, as proxies do', async () => {
  const response = await send(
    'GET http://elsewhere.example/v1/public/stats HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  )
  expect(response).toMatch(/^HTTP\/1.1 200 /)
})

describe('a silent connection is closed', () => {
  test('during a request', async () => {
    expectProblem(await send('GET /v1/public/stats HTTP/1.1\r\nHost: localhost\r\n'), 408, 'REQUEST_TIMEOUT')
  })

  test('before its first request', async () => {
    await received(await open())
  })

  test('after a request', async () => {
    expect(await send('GET /v1/public/stats HTTP/1.1\r\nHost: localhost\r\n\r\n')).toMatch(/^HTTP\/1.1 200 /)
  })

  test('even if fifty at once send a byte now and then, while other clients are answered', async () => {
    const sockets = await Promise.all(Array.from({ length: 50 }, open))
    const dripping = sockets.map((socket) => {
      socket.on('error', () => {})
      socket.write('GET / HTTP/1.1\r\nX: ')
      const timer = setInterval(() => socket.writable && socket.write('a'), IDLE_MS / 5)
      return received(socket).finally(() => clearInterval(timer))
    })
    for (let i = 0; i < 20; i++) expect((await service.get('/v1/public/stats')).status).toBe(200)
    expect(await Promise.all(dripping)).toHaveLength(50)
  })
})

test.each([100, 600_000])('a service may wait %i ms for a request', async (idle_ms) => {
  const { get } = await serveSample({ SHELFMARK_IDLE_MS: String(idle_ms) })
  expect((await get('/v1/public/stats')).status).toBe(200)
})
