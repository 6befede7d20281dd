import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { z } from 'zod'
import { counted, DAY_MS, dayOf, quotedValue } from '../../engine/index.ts'
import { type Config, ConfigError } from '../ops/config.ts'
import { readSessions, readSettledPayments } from '../payment/journals.ts'
import type { Session } from '../payment/sessions/session.ts'
import type { Period, SettledPayment } from '../payment/settled.ts'

type ListOptions = { from?: string | undefined; to?: string | undefined; csv?: boolean | undefined }
type Output = { stdout: Writable; stderr: Writable }

const time = z.union([z.iso.date(), z.iso.datetime({ offset: true })]).transform((text) => Date.parse(text))

const readTime = (name: string, text: string | undefined): number | undefined => {
  const { data, success } = time.optional().safeParse(text)
  if (!success)
    throw new ConfigError(
      `--${name}: expected a date or an RFC 3339 time, such as 2026-11-01, got ${quotedValue(text)}`,
    )
  return data
}

const readPeriod = (options: ListOptions, { payments_kept_days }: Config): Period => {
  const oldest = Date.now() - payments_kept_days * DAY_MS
  const from = readTime('from', options.from) ?? oldest
  const to = readTime('to', options.to) ?? Number.POSITIVE_INFINITY
  if (options.from === undefined && to <= oldest)
    throw new ConfigError(
      `--to: expected a time after ${dayOf(oldest)}, got ${quotedValue(options.to)}: payments are kept for ${payments_kept_days} days`,
    )
  if (from >= to) throw new ConfigError(`--to: expected a time after --from, got ${quotedValue(options.to)}`)
  return { from: Math.max(from, oldest), to }
}

const dollars = (amount: bigint): string => `${amount / 1_000_000n}.${String(amount % 1_000_000n).padStart(6, '0')}`

const COLUMNS = ['settled_at', 'network', 'transaction', 'amount', 'usd', 'payer', 'question', 'verified']
const quoted = (value: string): string => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)

/** Whether our node had the receipt; in earlier versions the facilitator was believed. */
const verified = ({ is_verified = false }: SettledPayment): string => (is_verified ? 'verified' : 'unverified')

const asCsv = (payment: SettledPayment): string => {
  const { at, network, transaction, amount, payer, question } = payment
  const time = new Date(at).toISOString()
  return [time, network, transaction, amount, dollars(BigInt(amount)), payer, question, verified(payment)]
    .map(quoted)
    .join(',')
}

const asText = (payment: SettledPayment): string => {
  const { at, network, transaction, amount, payer, question } = payment
  const time = new Date(at).toISOString()
  const marked = verified(payment).padEnd('unverified'.length)
  return [time, network.padEnd(6), dollars(BigInt(amount)), payer, transaction, marked, question].join('  ')
}

/** A session in one line: what its vouchers allow, what answers have cost, and what has come in. */
const sessionText = (session: Session): string => {
  const { channelId, payer, deposit, highestVoucherAmount, spent, units, settlements = [], finalized } = session
  const settled = settlements.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
  return [
    `session ${channelId} of ${payer}: ${finalized ? 'closed' : 'open'}`,
    finalized ? null : `deposit ${dollars(deposit)}`,
    `vouchers ${dollars(highestVoucherAmount)}`,
    `${counted(units, 'answer')} for ${dollars(spent)}`,
    `${counted(settlements.length, 'settlement')} of ${dollars(settled)} USD`,
  ]
    .filter((part) => part !== null)
    .join(', ')
}

/** Lists settled payments, oldest first; the total goes to standard error. Amounts are base units of 6 decimals. */
export const listPayments = async (options: ListOptions, config: Config, { stdout, stderr }: Output): Promise<void> => {
  const period = readPeriod(options, config)
  const format = options.csv ? asCsv : asText
  const write = async (line: string): Promise<void> => {
    if (!stdout.write(`${line}\n`)) await once(stdout, 'drain')
  }
  const totals = new Map<string, { count: number; amount: bigint }>()
  let isFirst = true
  for await (const payment of readSettledPayments(config, period)) {
    if (isFirst && options.csv) await write(COLUMNS.join(','))
    isFirst = false
    await write(format(payment))
    const { count, amount } = totals.get(payment.network) ?? { count: 0, amount: 0n }
    totals.set(payment.network, { count: count + 1, amount: amount + BigInt(payment.amount) })
  }
  if (isFirst && options.csv) await write(COLUMNS.join(','))
  if (totals.size === 0) stderr.write('No payment was settled in that period.\n')
  for (const [network, { count, amount }] of totals)
    stderr.write(`${network}: ${counted(count, 'payment')}, ${dollars(amount)} USD\n`)
  for (const session of await readSessions(config)) stderr.write(`${sessionText(session)}\n`)
}
