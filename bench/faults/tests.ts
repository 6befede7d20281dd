import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Measured, Tally } from './figure.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

type TestResult = { fullName: string; status: string; failureMessages: string[] }
type TestReport = { testResults: { name: string; status: string; assertionResults: TestResult[] }[] }

/** Runs the tests at full size. Returns the exit code and the report that the test runner wrote. */
const runTests = async (folder: string): Promise<TestReport & { code: number | null }> => {
  const report = join(folder, 'report.json')
  const args = ['test', '--', '--reporter=json', `--outputFile=${report}`]
  const child = spawn('npm', args, {
    cwd: root,
    env: { ...process.env, SHELFMARK_TEST_SIZE: 'full' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const code = await new Promise<number | null>((resolve, reject) => child.once('exit', resolve).once('error', reject))
  return { ...(JSON.parse(await readFile(report, 'utf8')) as TestReport), code }
}

/** The tests with their full number of random cases, kills and real files, and those that only run so. */
export const measureTests = async (): Promise<Measured> => {
  const folder = await mkdtemp(join(tmpdir(), 'shelfmark-tests-'))
  try {
    const tally = new Tally()
    const { code, testResults } = await runTests(folder)
    for (const { name, status, assertionResults } of testResults) {
      // A file that cannot be loaded has no tests.
      if (assertionResults.length === 0 && status === 'failed') tally.count(name)
      for (const { fullName, status, failureMessages } of assertionResults) {
        if (status === 'passed' || status === 'failed') tally.count(status === 'failed' && fullName)
        // The line of the figure has the first failures only.
        if (status === 'failed') console.error(`  failed: ${fullName}: ${failureMessages[0]?.split('\n', 1)[0]}`)
      }
    }
    // Errors outside tests, such as a promise that nobody awaits, fail a run whose tests all pass.
    return tally.measured(`${tally.rounds} tests, exit code ${code}`, code === 0)
  } finally {
    await rm(folder, { recursive: true })
  }
}
