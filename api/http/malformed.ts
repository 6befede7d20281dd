import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { problemBody, problemType, Refusal } from './problem.ts'

const refusals: Record<string, () => Refusal> = {
  ERR_HTTP_REQUEST_TIMEOUT: () => new Refusal('REQUEST_TIMEOUT', 'The request took too long to arrive; retry.'),
  HPE_HEADER_OVERFLOW: () => new Refusal('HEADERS_TOO_LARGE', 'The headers are too large; send fewer or shorter ones.'),
}

/** Answers data that is not a complete request, and closes the connection. */
export const answerMalformed = ({ code = '' }: { code?: string }, socket: Socket): void => {
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const refusal = refusals[code]?.() ?? new Refusal('INVALID_PARAMS', 'Malformed HTTP request.')
  const body = problemBody(refusal, '/')
  const head = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    `content-type: ${problemType('/')}`,
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}
