import { parseArgs } from 'node:util'
import { cleanUpAll } from '../../test/support/at-end.ts'
import { setup as compile } from '../../test/support/global-setup.ts'
import type { Figure, Measured } from './figure.ts'
import { figures } from './figures.ts'
import { render } from './table.ts'

const listed = figures
  .map(({ number, name, what, full, minutes }) => {
    const size = `${full.toLocaleString('en').padStart(9)} rounds, about ${String(minutes).padStart(2)} min`
    return `  ${String(number).padStart(2)}  ${name.padEnd(12)} ${size}   ${what}`
  })
  .join('\n')
const USAGE = `Measures the reliability figures: goal, result, held or not. Exit code 1 if one is not held.

  npm run faults [-- NAME|NUMBER ...] [--rounds N] [--short] [--json]

  --rounds N   attempts of each figure named, in place of the full size
  --short      the short form that tests run, without the figures that other tests cover
  --json       one line of JSON per figure

${listed}

Everything together takes about ${Math.round(figures.reduce((sum, { minutes }) => sum + minutes, 0) / 6) / 10} hours on two cores.`

const stop = (code: 0 | 2, message: string): never => {
  console[code === 0 ? 'log' : 'error'](message)
  process.exit(code)
}

const options = {
  rounds: { type: 'string' },
  short: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const
const readArguments = () => {
  try {
    return parseArgs({ allowPositionals: true, options })
  } catch (error) {
    return stop(2, `${(error as Error).message}\n\n${USAGE}`)
  }
}

const { values, positionals } = readArguments()
if (values.help) stop(0, USAGE)
const rounds = values.rounds === undefined ? undefined : Number(values.rounds)
if (rounds !== undefined && !(Number.isInteger(rounds) && rounds > 0))
  stop(2, '--rounds: expected a whole number from 1')
const isNamed = (name: string) => (figure: Figure) => figure.name === name || String(figure.number) === name
const unknown = positionals.find((name) => !figures.some(isNamed(name)))
if (unknown !== undefined) stop(2, `${unknown}: expected one of ${figures.map(({ name }) => name).join(', ')}`)

const chosen = figures.filter((figure) => positionals.length === 0 || positionals.some((name) => isNamed(name)(figure)))
const sizeOf = ({ full, short }: Figure): number | null => rounds ?? (values.short ? short : full)

/** A measurement that throws counts as not held. There are no retries. */
const measure = async (figure: Figure, size: number): Promise<Measured> => {
  try {
    return await figure.measure(size)
  } catch (error) {
    return { held: false, measured: `failed: ${(error as Error).message.split('\n')[0]}`, rounds: 0, losses: 0 }
  } finally {
    await cleanUpAll()
  }
}

compile()
const lines: { figure: Figure; size: number; measured: Measured; seconds: number }[] = []
for (const figure of chosen) {
  const size = sizeOf(figure)
  if (size === null) continue
  console.error(`${figure.number} ${figure.name}: ${figure.what}`)
  const start = performance.now()
  const measured = await measure(figure, size)
  const seconds = (performance.now() - start) / 1000
  lines.push({ figure, size, measured, seconds })
  if (values.json) {
    const { number, name, what, goal, misses, full } = figure
    console.log(
      JSON.stringify({ number, name, what, goal, misses, full, size, seconds: Math.round(seconds), ...measured }),
    )
  }
}
if (!values.json) console.log(render(lines))
process.exit(lines.every(({ measured }) => measured.held !== false) ? 0 : 1)
