import { commandLine } from '../../../contract/program.ts'
import { snapshotFiles } from '../../standalone/read-rows.ts'
import { readArgv } from '../argv.ts'
import { isFlag, unknownName } from '../command.ts'
import { openEngine } from '../open.ts'
import { readOptions, type Settings, usageError } from '../options.ts'
import { type Style, styleOf, type Terminal, titled, wrap } from '../terminal.ts'
import { explainMatch, type MatchExplanation } from './explain.ts'

const NAME = 'explain-match'
const OPTIONS = ['lake', 'json', 'help']

const help = (width: number, style: Style): string[] => [
  ...titled(`shelfmark ${NAME}`, 'Why two listings are, or are not, taken for one product', width, style),
  '',
  style.bold('Usage'),
  `  ${commandLine('shelfmark', `${NAME} PRODUCT_UID PRODUCT_UID`)}`,
  '',
  ...wrap(
    'Says whether the listings are certainly, likely or not one product, the probability, and what each comparison adds ' +
      'to it (data/matches.md). Options: --lake DIR, --json.',
    width,
  ),
]

const signed = (weight: number): string => `${weight < 0 ? '' : '+'}${weight.toFixed(1)}`

const page = (explanation: MatchExplanation, width: number, style: Style): string[] => {
  const { listings, tier, reason, probability, prior, evidence, vetoes } = explanation
  return [
    ...listings.flatMap(({ product_uid, retailer, country, product_name }) =>
      wrap(`${product_uid}  ${retailer} ${country}  ${product_name}`, width),
    ),
    '',
    style.bold(`${tier}${probability === null ? '' : `, probability ${probability.toFixed(3)}`}`),
    ...wrap(reason, width),
    ...(prior === null ? [] : ['', `${signed(prior).padStart(6)}  what every pair starts with`]),
    ...evidence.map(
      ({ comparison, weight, text }) =>
        `${signed(weight).padStart(6)}  ${text}${vetoes.includes(comparison) ? ' Speaks strongly against it.' : ''}`,
    ),
    ...(prior === null
      ? []
      : [
          '',
          ...wrap(
            'Added, these are the natural logarithm of the odds, which each listing shares with its rivals in the other shop.',
            width,
          ),
        ]),
  ]
}

/** Runs `shelfmark explain-match`. Returns the exit code; throws refusals. */
export const runMatch = async (argv: readonly string[], terminal: Terminal, settings: Settings): Promise<number> => {
  const { stdout, stderr } = terminal
  const { words, options } = readArgv(argv, isFlag)
  const style = styleOf(stdout)
  if (options.help !== undefined) {
    await stdout.write(`${help(stdout.columns, style).join('\n')}\n`)
    return 0
  }
  const unknown = Object.keys(options).find((name) => !OPTIONS.includes(name))
  if (unknown !== undefined) throw unknownName('option', unknown, OPTIONS, '--')
  const [a, b, ...others] = words
  if (a === undefined || b === undefined || others.length > 0)
    throw usageError(`expected two product_uids, got ${words.length}: ${commandLine('shelfmark', `${NAME} A B`)}`)
  const { lake, output } = readOptions(options, settings, stdout.isTerminal)
  const engine = await openEngine(lake, undefined, stderr)
  try {
    const explanation = await explainMatch(snapshotFiles(engine, lake), engine.manifest.snapshot_id, [a, b])
    const isPage = 'format' in output && output.format === 'page'
    await stdout.write(
      isPage ? `${page(explanation, stdout.columns, style).join('\n')}\n` : `${JSON.stringify(explanation)}\n`,
    )
    return 0
  } finally {
    engine.close()
  }
}
