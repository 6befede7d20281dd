import type { SettleResponse, SupportedResponse, VerifyResponse } from '@x402/core/types'
import { z } from 'zod'
import { readJson } from '../../engine/index.ts'
import type { Authorize } from '../ops/facilitator-credentials.ts'
import { type Facilitator, type FacilitatorCall, FacilitatorError } from './facilitator.ts'

export type HttpFacilitatorOptions = {
  url: string
  /** The maximum duration of a call, in milliseconds. */
  timeout_ms: number
  authorize: Authorize
}

/** Answers have hundreds of bytes; lists of kinds have thousands. */
const MAX_BYTES = 1024 * 1024

const optionalText = z
  .string()
  .nullish()
  .transform((text) => text ?? undefined)
const network = z.custom<`${string}:${string}`>((text) => typeof text === 'string')
const extra = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((value) => value ?? undefined)

const answers = {
  supported: z.object({
    kinds: z.array(z.object({ x402Version: z.number(), scheme: z.string(), network, extra })),
    extensions: z.array(z.string()).default([]),
    signers: z.record(z.string(), z.array(z.string())).default({}),
  }),
  verify: z.object({ isValid: z.boolean(), invalidReason: optionalText, payer: optionalText }),
  settle: z.object({
    success: z.boolean(),
    errorReason: optionalText,
    transaction: z.string().default(''),
    network,
    payer: optionalText,
  }),
} satisfies Record<FacilitatorCall, z.ZodType>

const readText = async (response: Response, call: FacilitatorCall): Promise<string> => {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > MAX_BYTES) throw new FacilitatorError(call, 'malformed')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** A refused payment is an answer, although some facilitators send it with a status such as 400. */
const isAnswer = ({ ok, status }: Response, json: unknown): boolean =>
  ok || (status < 500 && typeof json === 'object' && json !== null && ('isValid' in json || 'success' in json))

/**
 * A facilitator over HTTP. It throws only FacilitatorError. Redirects are not followed: the answer to a payment must
 * come from the server that it was sent to.
 */
export const httpFacilitator = ({ url, timeout_ms, authorize }: HttpFacilitatorOptions): Facilitator => {
  const root = url.replace(/\/+$/, '')

  const send = async (call: FacilitatorCall, body: object | null): Promise<unknown> => {
    const address = new URL(`${root}/${call}`)
    const method = body ? 'POST' : 'GET'
    const signal = AbortSignal.timeout(timeout_ms)
    let response: Response | undefined
    try {
      const headers = {
        accept: 'application/json',
        // Not compressed: fetch of Node 20 may never end where it is aborted while it decompresses a body.
        'accept-encoding': 'identity',
        ...(body ? { 'content-type': 'application/json' } : {}),
      }
      response = await fetch(address, {
        method,
        headers: { ...headers, ...authorize(method, address) },
        redirect: 'manual',
        body: body ? JSON.stringify(body) : null,
        signal,
      })
      const text = await readText(response, call)
      const json = readJson(text)
      if (!isAnswer(response, json)) throw new FacilitatorError(call, `${response.status}`)
      return json
    } catch (error) {
      if (error instanceof FacilitatorError) throw error
      if (signal.aborted) throw new FacilitatorError(call, 'timeout')
      throw new FacilitatorError(call, response ? 'truncated' : 'unreachable')
    }
  }

  const request = async <Call extends FacilitatorCall>(call: Call, body: object | null) => {
    const { data } = answers[call].safeParse(await send(call, body))
    if (!data) throw new FacilitatorError(call, 'malformed')
    return data
  }

  return {
    supported: async () => (await request('supported', null)) as SupportedResponse,
    verify: async (paymentPayload, paymentRequirements) =>
      (await request('verify', { x402Version: 2, paymentPayload, paymentRequirements })) as VerifyResponse,
    settle: async (paymentPayload, paymentRequirements) =>
      (await request('settle', { x402Version: 2, paymentPayload, paymentRequirements })) as SettleResponse,
  }
}
