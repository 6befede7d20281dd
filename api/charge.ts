import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AnyQuery, Plan } from '../engine/index.ts'
import type { Answer } from './cache.ts'
import type { Config } from './config.ts'
import { notReady } from './problem.ts'

/** A question that nothing speaks against, before anything is computed. */
export type Asked = { query: AnyQuery; plan: Plan; request: FastifyRequest; reply: FastifyReply }

/** Charges for an answer. It alone has one computed and hands it out: none leaves unpaid, and no refusal is paid. */
export type Charge = (asked: Asked, compute: () => Promise<Answer>) => Promise<Answer>

/** Public questions are free; others are free only where payments are off. */
export const createCharge =
  ({ payments }: Pick<Config, 'payments'>): Charge =>
  async ({ query }, compute) => {
    if (query.group !== 'public' && payments !== 'off')
      throw notReady(
        'Payments are not set up in this build; to try paid routes, set SHELFMARK_PAYMENTS=off on a loopback address.',
        3600,
      )
    return compute()
  }
