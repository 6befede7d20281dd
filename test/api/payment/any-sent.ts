import type { Sent } from '../../../api/payment/journal.ts'

const offer = {
  query: 'public/stats',
  question: 'GET /a',
  url: 'http://127.0.0.1/a',
  realm: '127.0.0.1',
  description: 'a',
  parameters: {},
}

/** What a journal keeps of a payment that was sent, where a test does not settle it. */
export const anySent = (since = Date.now()): Sent => ({
  since,
  network: 'base',
  credential: 'e30=',
  offer: { ...offer, amount: '10000', accepts: [], charge: null },
})
