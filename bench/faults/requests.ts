import fc from 'fast-check'
import { startEmbeddedChains } from '../../api/payment/local-chains.ts'
import { openPayments } from '../../api/payment/payments.ts'
import { queries } from '../../engine/index.ts'
import { atEnd } from '../../test/support/at-end.ts'
import { expectPromised } from '../../test/support/contract.ts'
import { pathTo, type Reply, serveSample } from '../../test/support/http.ts'
import { queryPaths } from '../../test/support/query-strings.ts'
import { expectRefusal, LEAKS } from '../../test/support/refusals.ts'
import { strict } from '../../test/support/strict.ts'
import { type Measured, progress, Tally } from './figure.ts'

const AT_ONCE = 20

/** The same requests in every run, so that a loss can be looked into. */
const SEED = 20261001

const answers = new Map(queries.map((query) => [pathTo(query), strict(query.answer)]))

/** The first line of the error of a check; null if it passes. */
const failureOf = (check: () => void): string | null => {
  try {
    check()
    return null
  } catch (error) {
    return (error as Error).message.split('\n')[0]!.slice(0, 160)
  }
}

/** Requests paths, `AT_ONCE` at a time. */
const requestAll = async (
  paths: readonly string[],
  request: (path: string) => Promise<void>,
  what: string,
): Promise<void> => {
  const report = progress(what, paths.length)
  let done = 0
  const rest = paths.values()
  const requestRest = async (): Promise<void> => {
    for (const path of rest) {
      await request(path)
      report(++done)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, requestRest))
}

const whereOf = (path: string): string => path.split('?')[0]!

/** How a reply violates the contract document or, for an answer, the query's schema; null if it does not. */
const violationIn = (path: string, { status, headers, body }: Reply): string | null =>
  failureOf(() => {
    const where = whereOf(path)
    expectPromised(where, status, headers['content-type'] ?? '', body)
    if (status === 200) answers.get(where)?.parse(JSON.parse(body))
  })

/** No connection that a client keeps is closed between two of its requests, however long those of others take. */
const KEPT = { SHELFMARK_IDLE_MS: '600000' }

const servePaid = async () => {
  const chains = await startEmbeddedChains()
  atEnd(() => chains.close())
  return serveSample({ ...KEPT, SHELFMARK_PAYMENTS: 'embedded' }, undefined, (config, log) =>
    openPayments(config, log, chains),
  )
}

const spreadOf = (seen: ReadonlyMap<number, number>): string =>
  [...seen]
    .sort(([a], [b]) => a - b)
    .map(([status, times]) => `${times.toLocaleString('en')} x ${status}`)
    .join(', ')

const count = (seen: Map<number, number>, status: number): void => void seen.set(status, (seen.get(status) ?? 0) + 1)

/** Requests made of the parameters' schemas, between sensible and hostile, to a free service and to a paid one. */
export const measureRequests = async (rounds: number): Promise<Measured> => {
  const free = await serveSample(KEPT)
  const paid = await servePaid()
  const tally = new Tally()
  const seen = new Map<number, number>()
  const ask = async (path: string): Promise<void> => {
    const [reply, charged] = [await free.get(path), await paid.get(path)]
    count(seen, reply.status)
    tally.count(
      ![200, 400, 404].includes(reply.status) && `${reply.status} for ${path.slice(0, 80)}`,
      violationIn(path, reply),
      charged.status === 402 && reply.status !== 200 && `402 for what is ${reply.status}: ${path.slice(0, 100)}`,
      charged.status >= 500 && `${charged.status} of the paid service for ${path.slice(0, 80)}`,
    )
  }
  await requestAll(fc.sample(queryPaths, { numRuns: rounds, seed: SEED }), ask, 'requests')
  return tally.measured(spreadOf(seen))
}

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path.replaceAll('+', ' ')).toLowerCase()
  } catch {
    return path.toLowerCase()
  }
}

/** A body without what looks like the inside and is the client's own text, which refusals repeat. */
const withoutEcho = (path: string, body: string): string => {
  const sent = decoded(path)
  return body.replace(new RegExp(LEAKS, 'g'), (text) => (sent.includes(text.toLowerCase()) ? '-' : text))
}

const trees = ['../../../etc/passwd', 'x'.repeat(8000), '%00', "'; SELECT * FROM listing; --", '%F0%9F%98%80']

/** Every refusal of a paid address is a problem document and reveals no internals. */
export const measureErrors = async (rounds: number): Promise<Measured> => {
  const paid = await servePaid()
  const tally = new Tally()
  const seen = new Map<number, number>()
  const addresses = fc.oneof(
    { weight: 20, arbitrary: queryPaths },
    { weight: 1, arbitrary: fc.constantFrom(...trees).map((text) => `/v1/${encodeURIComponent(text)}`) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(...trees).map((text) => `/v1/analyst/inflation?category=${encodeURIComponent(text)}`),
    },
  )
  const headers = fc.constantFrom(
    {},
    { 'payment-signature': 'e30=' },
    { authorization: 'Payment e30' },
    { 'x-payment': '{' },
  )
  const wanted = fc.sample(fc.tuple(addresses, headers), { numRuns: rounds, seed: SEED })
  const given = new Map(wanted.map(([path, sent]) => [path, sent as Record<string, string>]))
  const ask = async (path: string): Promise<void> => {
    const reply = await paid.get(path, given.get(path))
    if (reply.status === 200 || path.startsWith('/v1/public/')) return
    count(seen, reply.status)
    const { error = {}, ...problem } = JSON.parse(reply.body)
    const members = ['type', 'title', 'status', 'detail', 'instance'].filter((name) => !(name in problem))
    tally.count(
      // What asks for payment has members and a type of its own.
      reply.status !== 402 &&
        failureOf(() =>
          expectRefusal(path, { ...reply, body: withoutEcho(path, reply.body) }, reply.status, error.code),
        ),
      members.length > 0 && `${reply.status} without ${members.join(', ')}`,
      reply.status >= 500 && `${reply.status} for ${path.slice(0, 80)}`,
    )
  }
  await requestAll(
    wanted.map(([path]) => path),
    ask,
    'errors',
  )
  return tally.measured(spreadOf(seen))
}
