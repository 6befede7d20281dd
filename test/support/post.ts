import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Reply, Send } from './http.ts'

/** Sends a body, by default JSON. */
export const post = async (
  port: number,
  path: string,
  body: string | Uint8Array,
  { headers = {}, signal }: Send = {},
): Promise<Reply> => {
  const sent = request({
    port,
    host: '127.0.0.1',
    path,
    method: 'POST',
    agent: false,
    headers: { 'content-type': 'application/json', ...headers },
    ...(signal ? { signal } : {}),
  })
  sent.end(body)
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve).once('error', reject)
  })
  return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) }
}
