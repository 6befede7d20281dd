import { z } from 'zod'

const whole = (min: number, max: number) => {
  const error = `expected a whole number from ${min} to ${max}`
  return z.int(error).min(min, error).max(max, error)
}

export const DAY_MS = 86_400_000

const yesterday = () => new Date(Date.now() - DAY_MS).toISOString().slice(0, 10)

/** What a sample is made of. Equal options give equal bytes; `until` is yesterday (UTC) unless given. */
export const sampleOptions = z.strictObject({
  /** The folder to write to; created if missing, refused unless empty. */
  out: z.string('expected a folder').min(1, 'expected a folder'),
  seed: whole(0, Number.MAX_SAFE_INTEGER).default(1),
  /** 20,000 unless the number of observations requires fewer or more. */
  listings: whole(1, 10_000_000).optional(),
  /** About how many rows to write; by default every listing is observed weekly, a few daily. */
  observations: whole(1, 2_000_000_000).optional(),
  months: whole(1, 60).default(13),
  /** The last day of the sample. */
  until: z.iso.date('expected a date as YYYY-MM-DD').default(yesterday),
  /** Of observations and catalogue; CSV and JSON lines unless there are over 5 million observations. */
  format: z.enum(['csv', 'parquet'], 'expected csv or parquet').optional(),
  threads: whole(1, 256).optional(),
})
export type SampleOptions = z.input<typeof sampleOptions>

/** An invalid option. */
export class OptionError extends Error {
  readonly option: string

  constructor(option: string, reason: string) {
    super(`--${option}: ${reason}`)
    this.option = option
  }
}

/** The options with their defaults. Throws OptionError naming the first invalid one. */
export const parseOptions = (options: SampleOptions): z.output<typeof sampleOptions> => {
  const parsed = sampleOptions.safeParse(options)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new OptionError(issue!.path.join('.') || 'options', issue!.message)
}
