#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { commandLine, programText } from '../../engine/contract/program.ts'
import type { SampleOptions } from './options.ts'
import type { SampleSummary } from './sample.ts'

const HELP = `Writes sample feeds: invented retailers and brands, realistic prices, and some invalid data.

${commandLine('sample', '--out DIR [options]')}

  --out DIR          the folder to write to: new or empty
  --seed N           another seed, other products and prices (1)
  --listings N       listings in all (20000)
  --observations N   about how many observations: sets the cadence, and the listings too unless --listings is given
                     (weekly, a few listings daily: about 1.1 million)
  --months N         length (13)
  --until DATE       the last day, YYYY-MM-DD (yesterday, UTC; set it to get the same bytes on another day)
  --format FORMAT    csv or parquet (csv up to 5 million observations)
  --threads N        threads (all)
  --version          the version of this package
  --help, -h         this text

Parquet holds prices in cents and replaces both CSV and JSON lines; the small feeds have one form.
`

const TEXTS = ['out', 'until', 'format']
const COUNTS = ['seed', 'listings', 'observations', 'months', 'threads']

/** The options as given, which writeSample checks. */
const readOptions = (args: string[]): SampleOptions => {
  const optionTypes = [...TEXTS, ...COUNTS].map((name) => [name, { type: 'string' }] as const)
  const { values } = parseArgs({ args, options: Object.fromEntries(optionTypes) })
  const options = Object.entries(values).map(([name, text]) => [
    name,
    COUNTS.includes(name) ? Number(text || Number.NaN) : text,
  ])
  return Object.fromEntries(options) as SampleOptions
}

const progress = process.stderr.isTTY ? (path: string) => process.stderr.write(`\r\u001b[K${path}`) : undefined

const print = ({ first_day, until, feeds }: SampleSummary): void => {
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
  const text = programText(args, HELP)
  if (text !== undefined) {
    process.stdout.write(text)
    return 0
  }
  const [{ OptionError }, { writeSample }] = await Promise.all([import('./options.ts'), import('./sample.ts')])
  try {
    print(await writeSample(readOptions(args), progress))
    return 0
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const isUsage = error instanceof OptionError || ('code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))
    console.error(isUsage ? `${error.message}\nSee --help.` : error.stack)
    return isUsage ? 2 : 3
  }
}

process.exitCode = await main(process.argv.slice(2))
