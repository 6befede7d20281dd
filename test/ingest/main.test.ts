import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseArguments } from '../../ingest/cli/arguments.ts'
import { runCommand } from '../../ingest/cli/commands.ts'
import { failureOf } from '../../ingest/cli/failure.ts'
import { compiled } from '../support/compiled.ts'
import { csv, givenFiles, newFolder } from './feeds.ts'

const command = (...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [compiled('ingest/main.ts'), ...args], {
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

const good = csv('acme,us,1,2026-01-05T10:00:00Z,10.00,USD', 'acme,us,2,2026-01-05T10:00:00Z,11.00,USD')
const bad = csv('acme,us,1,2026-01-05T10:00:00Z,ten,USD')

describe('shelfmark-refresh', () => {
  test('prints a report, publishes and exits with 0, and its JSON has every count', async () => {
    const feeds = await givenFiles({ 'price_observations/a.csv': good })
    const lake = join(await newFolder(), 'lake')
    const first = command('--feeds', feeds, '--lake', lake)
    expect(first).toMatchObject({ status: 0, stderr: '' })
    expect(first.stdout).toMatch(/price_observations\/a\.csv +3 +2 +2 +0 +0/)
    expect(first.stdout).toMatch(/published 000001-[0-9a-f]{8} \(previous: no snapshot\)/)
    const second = command('--feeds', feeds, '--lake', lake, '--json')
    expect(JSON.parse(second.stdout)).toMatchObject({
      status: 'unchanged',
      files: [{ feed: 'price_observations', rows_read: 2, kept: 0, duplicates: { same_key: 2, same_day: 0 } }],
    })
    expect(command('snapshots', '--lake', lake).stdout).toMatch(/\* +000001-/)
    expect(command('verify', '--lake', lake)).toMatchObject({ status: 0 })
  })

  test('exits with 1 and the reason where the refresh is refused', async () => {
    const feeds = await givenFiles({ 'price_observations/a.csv': bad })
    const lake = join(await newFolder(), 'lake')
    const refused = command('--feeds', feeds, '--lake', lake)
    expect(refused.status).toBe(1)
    expect(refused.stdout).toMatch(/PRICE_NOT_A_NUMBER 1/)
    expect(refused.stdout).toMatch(
      /refused: nothing is published\n +price_observations\/a\.csv: 1 of 1 rows are refused/,
    )
    expect(command('snapshots', '--lake', lake)).toMatchObject({ status: 1, stdout: '' })
  })
})

test.each([
  [[], /--feeds is missing/],
  [['--feeds', '/nowhere'], /the feeds folder \/nowhere cannot be read/],
  [['--feeds', '.', '--max-quarantine', '2'], /--max-quarantine: expected a share from 0 to 1, got 2/],
  [['--feeds', '.', '--threads', '0'], /--threads: expected a whole number from 1, got 0/],
  [['--feeds', '.', '--memory-limit', 'lots'], /--memory-limit: expected a size such as 2GiB, got "lots"/],
  [['--feed', '.'], /--feed/],
  [
    ['forget'],
    /unknown command forget; the commands are .*quality, impact, withdraw, upgrade, snapshots, verify, rollback, prune, backup, restore/,
  ],
  [['verify', 'twice'], /unexpected argument "twice"/],
])('the arguments %j are wrong usage', async (args, message) => {
  const run = async () => {
    const { values, positionals } = parseArguments(args)
    return runCommand(values, join(await newFolder(), 'lake'), positionals)
  }
  const { code, output } = failureOf(await run().catch((cause: unknown) => cause))
  expect(code).toBe(2)
  expect(output).toMatch(message)
})

test('shelfmark-refresh exits with 2 for wrong usage, which it explains on standard error', () => {
  const { status, stdout, stderr } = command('--feed', '.')
  expect(status).toBe(2)
  expect(stdout).toBe('')
  expect(stderr).toMatch(/--feed/)
})

test('shelfmark-refresh --help lists every option', () => {
  const { status, stdout } = command('--help')
  expect(status).toBe(0)
  for (const option of ['--feeds', '--mapping', '--lake', '--max-quarantine', '--dry-run', '--json'])
    expect(stdout).toContain(option)
})
