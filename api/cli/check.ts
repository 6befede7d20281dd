import { checkCluster } from '../check/cluster.ts'
import { type Finding, findingOf } from '../check/finding.ts'
import { checkPayments } from '../check/payments.ts'
import { checkAddresses, checkJournal, checkLake, checkStore } from '../check/service.ts'
import { type Config, ConfigError, readConfig } from '../ops/config.ts'

const LABELS = new Map([
  [true, 'ok   '],
  [false, 'FAIL '],
  [null, '-    '],
])

/** Checks every setting of a configuration against the service, chain, database or file that it names. */
const checkAll = async (config: Config): Promise<Finding[]> => {
  const findings = await Promise.all([
    checkLake(config),
    checkStore(config),
    checkCluster(config),
    config.payments === 'off' ? [] : checkJournal(config),
    checkAddresses(config),
    checkPayments(config),
  ])
  return [...config.unknown.map(findingOf), ...findings.flat()]
}

/** The result of checking every setting. If a setting is invalid, only the invalid ones are reported. */
export const findingsOf = async (environment: Record<string, string | undefined>): Promise<Finding[]> => {
  let config: Config
  try {
    config = readConfig(environment)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const [, ...lines] = error.message.split('\n  ')
    return lines.map(findingOf)
  }
  return checkAll(config)
}

/** Prints the result of checking every setting. Returns the exit code: 1 if a check failed. */
export const check = async (environment: Record<string, string | undefined>, asJson: boolean): Promise<number> => {
  const findings = await findingsOf(environment)
  const failures = findings.filter(({ is_ok }) => is_ok === false).length
  const width = Math.max(...findings.map(({ setting }) => setting.length))
  const lines = findings.map(
    ({ setting, is_ok, message }) => `${LABELS.get(is_ok)} ${setting.padEnd(width)}  ${message}`,
  )
  if (asJson) process.stdout.write(`${JSON.stringify({ is_ok: failures === 0, findings }, null, 2)}\n`)
  else
    process.stdout.write(
      `${[...lines, failures === 0 ? 'All checks passed.' : `${failures} of ${findings.length} checks failed.`].join('\n')}\n`,
    )
  return failures === 0 ? 0 : 1
}
