import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { Facilitator } from '../../../api/payment/facilitator.ts'
import { atEnd } from '../../support/at-end.ts'

/** What a test does before a call goes on and after it was answered; it may never return. */
export type Interference = { before?(call: string): Promise<void>; after?(call: string): Promise<void> }

const listen = async (answer: (path: string, body: unknown) => Promise<unknown>): Promise<string> => {
  const server = createServer(async (request, response) => {
    try {
      const body = request.method === 'POST' ? await json(request) : undefined
      const reply = await answer(request.url ?? '/', body)
      response.setHeader('content-type', 'application/json').end(JSON.stringify(reply))
    } catch {
      response.destroy()
    }
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  atEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A facilitator over HTTP. */
export const serveFacilitator = (facilitator: Facilitator, interference: Interference): Promise<string> =>
  listen(async (path, body) => {
    const { paymentPayload, paymentRequirements } = (body ?? {}) as Record<string, never>
    const call = path.slice(1)
    await interference.before?.(call)
    const answers: Record<string, () => Promise<unknown>> = {
      supported: () => facilitator.supported(),
      verify: () => facilitator.verify(paymentPayload!, paymentRequirements!),
      settle: () => facilitator.settle(paymentPayload!, paymentRequirements!),
    }
    const answer = await answers[call]?.()
    await interference.after?.(call)
    return answer
  })

/** A chain's JSON-RPC, with someone in between. */
export const interposeRpc = (url: string, interference: Interference): Promise<string> =>
  listen(async (_, body) => {
    const { method } = body as { method: string }
    await interference.before?.(method)
    const headers = { 'content-type': 'application/json' }
    const answer = await (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).json()
    await interference.after?.(method)
    return answer
  })
