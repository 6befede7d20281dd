import { parseArgs } from 'node:util'
import { OptionError, type SampleOptions } from './options.ts'
import { type Summary, writeSample } from './sample.ts'

const HELP = `Writes sample feeds: invented retailers and brands, prices that behave like real ones, a little dirt.

npm run -s sample -- --out DIR [options]

  --out DIR          the folder to write to: new or empty
  --seed N           another seed, other products and prices (1)
  --listings N       listings in all (20000)
  --observations N   about how many observations: sets the cadence, and the listings unless told
                     (weekly, a few listings daily: about 1.1 million)
  --months N         length (13)
  --until DATE       the last day, YYYY-MM-DD (yesterday, UTC: name it to have the same bytes another day)
  --format FORMAT    csv or parquet (csv up to 5 million observations)
  --threads N        threads (all)
  --help             this text

Parquet holds prices in cents and replaces both CSV and JSON lines; the small feeds have one form.
`

const TEXTS = ['out', 'until', 'format']
const COUNTS = ['seed', 'listings', 'observations', 'months', 'threads']

/** The options as given; writeSample checks them. Null where help is asked for. */
const readOptions = (args: string[]): SampleOptions | null => {
  const named = [...TEXTS, ...COUNTS].map((name) => [name, { type: 'string' }] as const)
  const { values } = parseArgs({ args, options: { ...Object.fromEntries(named), help: { type: 'boolean' } } })
  if (values.help) return null
  const options = Object.entries(values).map(([name, text]) => [
    name,
    COUNTS.includes(name) ? Number(text || Number.NaN) : text,
  ])
  return Object.fromEntries(options) as SampleOptions
}

const progress = process.stderr.isTTY ? (path: string) => process.stderr.write(`\r\u001b[K${path}`) : undefined

const print = ({ first_day, until, feeds }: Summary): void => {
  if (progress) process.stderr.write('\r\u001b[K')
  console.log(`${first_day} to ${until}`)
  for (const { feed, files, rows, bytes } of feeds) {
    const size = `${(bytes / 1e6).toFixed(1)} MB`
    console.log(
      `${feed.padEnd(20)} ${String(files).padStart(4)} files ${String(rows).padStart(11)} rows ${size.padStart(10)}`,
    )
  }
}

const main = async (args: string[]): Promise<number> => {
  try {
    const options = readOptions(args)
    if (options === null) console.log(HELP.trimEnd())
    else print(await writeSample(options, progress))
    return 0
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const isUsage = error instanceof OptionError || ('code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))
    console.error(isUsage ? `${error.message}\nSee --help.` : error.stack)
    return isUsage ? 2 : 3
  }
}

process.exitCode = await main(process.argv.slice(2))
