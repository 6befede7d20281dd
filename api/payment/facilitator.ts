import { HTTPFacilitatorClient } from '@x402/core/http'
import type {
  PaymentPayload,
  PaymentRequirements,
  SettleResponse,
  SupportedResponse,
  VerifyResponse,
} from '@x402/core/types'

/**
 * Who checks x402 payments and brings them to their chain: the facilitator interface of x402, section 7, whose `GET
 * /supported`, `POST /verify` and `POST /settle` these are. A thrown error leaves the outcome unknown.
 */
export type Facilitator = {
  supported(): Promise<SupportedResponse>
  verify(payload: PaymentPayload, requirements: PaymentRequirements): Promise<VerifyResponse>
  settle(payload: PaymentPayload, requirements: PaymentRequirements): Promise<SettleResponse>
}

/** A facilitator reached over HTTP, given so many milliseconds for each request. */
export const httpFacilitator = (url: string, timeoutMs: number): Facilitator => {
  const client = new HTTPFacilitatorClient({ url, timeoutMs })
  return {
    supported: () => client.getSupported(),
    verify: (payload, requirements) => client.verify(payload, requirements),
    settle: (payload, requirements) => client.settle(payload, requirements),
  }
}
