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
import { syncPath } from './durable.ts'
import { readLines } from './lines.ts'
import { isWithin, type NamedPayment, type Period } from './settled.ts'

const FILE = /^(\d{4}-\d{2})\.jsonl$/
/** Payments written at once. */
const BATCH = 10_000
/** More than any line has. */
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

/** Cuts off a last line without its end: a crash broke it off, and the journal still has its payment. */
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
    for (let from = 0; from < payments.length; from += BATCH) {
      const lines = payments.slice(from, from + BATCH).map((payment) => `${JSON.stringify(payment)}\n`)
      appendFileSync(descriptor, lines.join(''))
    }
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/**
 * The settled payments that a file journal has forgotten: a file a month in the folder `JOURNAL.settled`, which nobody
 * reads when a service starts. The same payment may be there twice, where a crash came between this and the journal.
 */
export const createSettledFiles = (journal: string) => {
  const folder = `${journal}.settled`
  return {
    /** Writes payments; they are durable when this returns. */
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

const parse = (line: string, path: string): NamedPayment => {
  try {
    return JSON.parse(line)
  } catch {
    throw new Error(`${path} is corrupt: repair it or move it away`)
  }
}

/** The payments in these files and others, oldest first and each once. A service may be writing them. */
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
    const found = new Map(others.filter(({ at }) => monthOf(at) === month).map((payment) => [payment.id, payment]))
    for (const line of readLines(path)) {
      const payment = parse(line, path)
      found.set(payment.id, payment)
    }
    const within = [...found.values()].filter((payment) => isWithin(period, payment))
    yield* within.sort((left, right) => left.at - right.at || (left.id < right.id ? -1 : 1))
  }
}
