import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { serveSample } from '../support/http.ts'

const REQUESTS = 30

/** Sends requests on one connection at once; returns the statuses in order. */
const pipelined = async (port: number, paths: readonly string[]): Promise<string[]> => {
  const socket = connect(port, '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  const last = paths.length - 1
  socket.write(
    paths
      .map((path, i) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${i === last ? 'Connection: close\r\n' : ''}\r\n`)
      .join(''),
  )
  await once(socket, 'close')
  const text = Buffer.concat(chunks).toString()
  return [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status!)
}

test('requests sent at once on one connection take one place of the queue at a time', async () => {
  const service = await serveSample({ SHELFMARK_QUEUE: '0', SHELFMARK_CONNECTIONS: '1', SHELFMARK_CACHE_MIB: '0' })
  const paths = Array.from({ length: REQUESTS }, (_, i) =>
    i % 2 ? `/v1/public/stats?max_age=${90_000 + i}` : `/v1/analyst/inflation?category=coffee&days=${90 + i}`,
  )
  expect(await pipelined(service.port, paths)).toEqual(paths.map(() => '200'))
})

test('a connection that closes lets go of the requests that wait on it', async () => {
  const service = await serveSample({ SHELFMARK_CACHE_MIB: '0' })
  const socket = connect(service.port, '127.0.0.1')
  const request = 'GET /v1/analyst/inflation?category=coffee HTTP/1.1\r\nHost: localhost\r\n\r\n'
  socket.write(request.repeat(REQUESTS))
  await once(socket, 'data')
  socket.destroy()
  expect((await service.get('/v1/public/stats')).status).toBe(200)
  expect(service.log.filter(({ level }) => Number(level) > 30)).toEqual([])
})
