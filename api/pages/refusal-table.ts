import type { Group } from '../../engine/index.ts'
import { type HttpCode, statuses } from '../http/problem.ts'
import type { Markup } from './html.ts'
import { codes, wordTable } from './parts.ts'

type RefusalText = { code: HttpCode; when: string; send: string; isOfPaid?: boolean; isOfReference?: boolean }

const refusals: readonly RefusalText[] = [
  {
    code: 'INVALID_PARAMS',
    when: 'A parameter is unknown, repeated or invalid, or no category matches.',
    send: 'What the message and error.details name: accepted values or the nearest categories.',
  },
  {
    code: 'PAYMENT_REQUIRED',
    when: 'The request has no payment, or its payment was refused; nothing was charged.',
    send: 'The same request with a payment for one of the offers.',
    isOfPaid: true,
  },
  {
    code: 'NO_RESULTS',
    when: 'Nothing in the catalogue matches, or nothing was observed on the days of the query.',
    send: 'Another name, a longer window or a wider category.',
    isOfPaid: true,
  },
  {
    code: 'RETAILER_NOT_SERVING_ELIGIBLE',
    when: 'The retailer is unknown, or its shelf is thin or stale.',
    send: 'One of serving_eligible_retailers in error.details.',
    isOfPaid: true,
  },
  {
    code: 'NOT_PUBLISHED',
    when: 'The snapshot lacks the feed that the query needs, or enough days of it.',
    send: 'A window that error.details names, or nothing until the feed is loaded.',
    isOfPaid: true,
  },
  {
    code: 'RATE_LIMITED',
    when: 'More requests than RateLimit-Policy allows.',
    send: 'The same after Retry-After seconds.',
  },
  {
    code: 'NOT_READY',
    when: 'No snapshot is open, the service is busy, or a payment is in doubt.',
    send: 'The same, with the same payment, after Retry-After seconds.',
  },
]

/** The refusals of a group's queries, and what to send instead. None is charged. */
export const refusalTable = (group: Group, isPaid: boolean): Markup =>
  wordTable(
    'Status, code, cause and remedy',
    [
      { key: 'status', label: 'Status', isRowHead: true },
      { key: 'code', label: 'Code' },
      { key: 'when', label: 'When' },
      { key: 'send', label: 'Send instead' },
    ],
    refusals
      .filter(({ code, isOfPaid }) => (code === 'PAYMENT_REQUIRED' ? isPaid : group !== 'public' || !isOfPaid))
      .map(({ code, when, send }) => ({ cells: { status: statuses[code], code: codes([code]), when, send } })),
  )
