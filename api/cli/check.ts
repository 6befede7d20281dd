import { type Finding, fails } from '../check/finding.ts'
import { checkPayments } from '../check/payments.ts'
import { checkAddresses, checkJournal, checkLake } from '../check/service.ts'
import { type Config, ConfigError, readConfig } from '../config.ts'

const WORDS = new Map([
  [true, 'ok   '],
  [false, 'FAIL '],
  [null, '-    '],
])

/** Tries every setting of a configuration against the service, chain, database or file that it names. */
const tryAll = async (config: Config): Promise<Finding[]> => {
  const found = await Promise.all([
    checkLake(config),
    config.payments === 'off' ? [] : checkJournal(config),
    checkAddresses(config),
    checkPayments(config),
  ])
  return found.flat()
}

/** What trying every setting found. Settings that do not fit keep everything else from being tried. */
export const findingsOf = async (environment: Record<string, string | undefined>): Promise<Finding[]> => {
  let config: Config
  try {
    config = readConfig(environment)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const [, ...lines] = error.message.split('\n  ')
    return lines.map((line) => fails(line.split(': ')[0]!, line.split(': ').slice(1).join(': ')))
  }
  return tryAll(config)
}

/** Prints what trying every setting found. Returns the exit code: 1 where something fails. */
export const check = async (environment: Record<string, string | undefined>, asJson: boolean): Promise<number> => {
  const findings = await findingsOf(environment)
  const failures = findings.filter(({ is_ok }) => is_ok === false).length
  const width = Math.max(...findings.map(({ setting }) => setting.length))
  const lines = findings.map(
    ({ setting, is_ok, message }) => `${WORDS.get(is_ok)} ${setting.padEnd(width)}  ${message}`,
  )
  if (asJson) process.stdout.write(`${JSON.stringify({ is_ok: failures === 0, findings }, null, 2)}\n`)
  else
    process.stdout.write(
      `${[...lines, failures === 0 ? 'All checks passed.' : `${failures} of ${findings.length} checks failed.`].join('\n')}\n`,
    )
  return failures === 0 ? 0 : 1
}
