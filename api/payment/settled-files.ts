import {
  appendFileSync,
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from '../ops/config.ts'
import { syncPath } from './durable.ts'
import { readLines } from './lines.ts'
import { isWithin, type NamedPayment, type Period } from './settled.ts'

const FILE = /^(\d{4}-\d{2})\.jsonl$/
const BATCH_SIZE = 10_000
/** More than the length of any line. */
const TAIL_BYTES = 64 * 1024

const monthOf = (at: number): string => new Date(at).toISOString().slice(0, 7)
const endOf = (month: string): number => new Date(`${month}-01T00:00:00Z`).setUTCMonth(Number(month.slice(5)))

const monthsIn = (folder: string): string[] => {
  try {
    return readdirSync(folder)
      .flatMap((name) => FILE.exec(name)?.[1] ?? [])
      .sort()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Removes an incomplete last line: a crash cut it off, and the journal still has its payment. */
const cutTornLine = (descriptor: number): void => {
  const { size } = fstatSync(descriptor)
  const tail = Buffer.alloc(Math.min(size, TAIL_BYTES))
  readSync(descriptor, tail, 0, tail.length, size - tail.length)
  const whole = size - tail.length + tail.lastIndexOf('\n') + 1
  if (whole < size) ftruncateSync(descriptor, whole)
}

const appendTo = (path: string, payments: readonly NamedPayment[]): void => {
  const descriptor = openSync(path, 'a+', 0o600)
  try {
    cutTornLine(descriptor)
    for (let from = 0; from < payments.length; from += BATCH_SIZE) {
      const lines = payments.slice(from, from + BATCH_SIZE).map((payment) => `${JSON.stringify(payment)}\n`)
      appendFileSync(descriptor, lines.join(''))
    }
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/**
 * The settled payments that a file journal has dropped: one file per month in the folder `JOURNAL.settled`, not read
 * when a service starts. A payment may be there twice if a crash came between this and the journal.
 */
export const createSettledFiles = (journal: string) => {
  const folder = `${journal}.settled`
  return {
    /** Appends payments, durably. */
    append(payments: readonly NamedPayment[]): void {
      if (payments.length === 0) return
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const months = new Set(payments.map(({ at }) => monthOf(at)))
      for (const month of months) {
        const path = join(folder, `${month}.jsonl`)
        appendTo(
          path,
          payments.filter(({ at }) => monthOf(at) === month),
        )
      }
      syncPath(folder)
      syncPath(join(folder, '..'))
    },
    /** Removes the months that ended before a time. */
    forget(before: number): void {
      for (const month of monthsIn(folder)) if (endOf(month) <= before) rmSync(join(folder, `${month}.jsonl`))
    },
  }
}

const paymentIn = (line: string, path: string): NamedPayment => {
  try {
    return JSON.parse(line)
  } catch {
    throw new ConfigError(`SHELFMARK_JOURNAL: ${path} is corrupt: repair it or move it away`)
  }
}

/** The payments in these files and the given ones, oldest first, without duplicates. A service may be writing them. */
export function* readSettledFiles(
  journal: string,
  others: readonly NamedPayment[],
  period: Period,
): Generator<NamedPayment> {
  const folder = `${journal}.settled`
  const months = new Set([...monthsIn(folder), ...others.map(({ at }) => monthOf(at))])
  for (const month of [...months].sort()) {
    if (endOf(month) <= period.from || Date.parse(`${month}-01`) >= period.to) continue
    const path = join(folder, `${month}.jsonl`)
    const byId = new Map(others.filter(({ at }) => monthOf(at) === month).map((payment) => [payment.id, payment]))
    for (const line of readLines(path)) {
      const payment = paymentIn(line, path)
      byId.set(payment.id, payment)
    }
    const within = [...byId.values()].filter((payment) => isWithin(period, payment))
    yield* within.sort((left, right) => left.at - right.at || (left.id < right.id ? -1 : 1))
  }
}
