import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type Measured, Tally } from './figure.ts'
import { load } from './load.ts'
import { serveProcess } from './served.ts'

const IDLE_MS = 2000
/** The limit, the second between two checks of it, and as much again for a busy machine. */
const CLOSED_MS = 2 * (IDLE_MS + 1000)
const HEALTHY = '/v1/public/stats'
const LONG = `GET /${'a'.repeat(64 * 1024)} HTTP/1.1\r\nHost: a\r\n\r\n`

const open = async (port: number): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  await once(socket, 'connect')
  return socket
}

/** A client that sends a byte now and then; resolves with what it got once the service has closed the connection, and when. */
const drip = async (socket: Socket): Promise<{ reply: string; ms: number }> => {
  const start = performance.now()
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.write('GET / HTTP/1.1\r\nX: ')
  const timer = setInterval(() => socket.writable && socket.write('a'), IDLE_MS / 5)
  await once(socket, 'close')
  clearInterval(timer)
  return { reply: Buffer.concat(chunks).toString(), ms: performance.now() - start }
}

const sendLong = async (port: number): Promise<string> => {
  const socket = await open(port)
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.write(LONG)
  await once(socket, 'close')
  return Buffer.concat(chunks).toString()
}

/** Sockets that drip and addresses of 64 KiB, while a healthy client asks. */
export const measureSlowSockets = async (rounds: number): Promise<Measured> => {
  const { port, stop } = await serveProcess({ SHELFMARK_IDLE_MS: String(IDLE_MS) })
  const tally = new Tally()
  const ask = () => load({ port, targets: [HEALTHY], connections: 2, seconds: 4 })
  await load({ port, targets: [HEALTHY], connections: 2, seconds: 1 })
  const alone = await ask()
  const sockets = await Promise.all(Array.from({ length: rounds }, () => open(port)))
  const dripping = Promise.all(sockets.map(drip))
  const long = Promise.all(Array.from({ length: Math.ceil(rounds / 10) }, () => sendLong(port)))
  const during = await ask()
  const closed = await dripping
  for (const { reply, ms } of closed)
    tally.count(
      !/^HTTP\/1.1 (408|503) /.test(reply) && `closed with ${reply.split('\r\n')[0] || 'nothing'}`,
      ms > CLOSED_MS && `closed after more than ${CLOSED_MS / 1000} s`,
    )
  for (const reply of await long)
    tally.count(!/^HTTP\/1.1 4(31|14) /.test(reply) && `64 KiB: ${reply.split('\r\n')[0]}`)
  await stop()
  const isHealthy = during.p99_ms < 2 * alone.p99_ms && Object.keys(during.statuses).join() === '200'
  const p99 = `healthy p99 ${during.p99_ms.toFixed(1)} ms, ${alone.p99_ms.toFixed(1)} ms alone`
  return tally.measured(
    `${p99}; all ${sockets.length} sockets closed within ${(Math.max(...closed.map(({ ms }) => ms)) / 1000).toFixed(1)} s`,
    isHealthy,
  )
}
