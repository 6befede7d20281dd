import type { AnyQuery } from '../engine/index.ts'
import type { Config } from './config.ts'
import { Refusal } from './problem.ts'

/** Asks for payment of a planned question, after every refusal and before anything is computed. */
export type Charge = (query: AnyQuery) => void

/** Public questions are free; others are free only where payments are off. */
export const createCharge =
  ({ payments }: Pick<Config, 'payments'>): Charge =>
  ({ group }) => {
    if (group === 'public' || payments === 'off') return
    throw new Refusal(
      'NOT_READY',
      'Payments are not set up in this build. To try paid routes, serve them on a loopback address with SHELFMARK_PAYMENTS=off.',
      {},
      { 'retry-after': '3600' },
    )
  }
