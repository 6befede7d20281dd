import type { SupportedKind } from '@x402/core/types'
import type { RateLimit } from '../http/limits.ts'
import type { Journal } from './journal.ts'
import type { Rails } from './rails.ts'
import type { Sessions } from './sessions/sessions.ts'
import type { Settler } from './settler.ts'

/** What the steps of a payment need. */
export type PaymentContext = {
  rails: Rails
  journal: Journal
  settler: Settler
  /** Null unless sessions are offered. */
  sessions: Sessions | null
  /** The kinds that the facilitator supports. */
  kinds(): Promise<readonly SupportedKind[]>
  /** The public address of the service. */
  base_url(): string
  /** The rate limit of payers. */
  takeToken: RateLimit
  /** That of clients, by address. */
  takeClientToken: RateLimit
}
