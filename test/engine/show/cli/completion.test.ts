import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { queries } from '../../../../engine/index.ts'
import { completionScript } from '../../../../engine/show/cli/completion.ts'
import { runCli } from '../../../../engine/show/cli.ts'
import { temporaryFolder } from '../../../support/given.ts'

const folder = await temporaryFolder()
writeFileSync(join(folder, 'prices.parquet'), '')
mkdirSync(join(folder, 'a lake'))
for (const shell of ['bash', 'zsh', 'fish']) writeFileSync(join(folder, `complete.${shell}`), completionScript([shell]))

const isInstalled = (shell: string): boolean => {
  try {
    execFileSync(shell, ['-c', 'true'])
    return true
  } catch {
    return false
  }
}

const run = (shell: string, script: string): string[] =>
  execFileSync(shell, ['-c', script], { cwd: folder, encoding: 'utf8' }).trim().split('\n')

const completions: Readonly<Record<string, (words: readonly string[]) => string[]>> = {
  bash: (words) =>
    run(
      'bash',
      `source complete.bash; COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
       _shelfmark; printf '%s\\n' "\${COMPREPLY[@]}"`,
    ),
  fish: (words) =>
    run('fish', `source complete.fish; complete -C '${words.join(' ')}'`).map((line) => line.split('\t')[0]!),
}

const groups = [...new Set(queries.map(({ group }) => group))]

for (const [shell, complete] of Object.entries(completions)) {
  const isThere = isInstalled(shell)
  if (!isThere) console.warn(`skipped: ${shell} is not installed`)
  const ofShell = (...words: string[]) => complete(['shelfmark', ...words]).toSorted()

  test.runIf(isThere)(`${shell} completes groups, then the names of queries`, () => {
    expect(ofShell('')).toEqual([...groups, 'completion', 'explain-match', 'sql'].toSorted())
    const names = queries.filter(({ group }) => group === 'analyst').map(({ name }) => name)
    expect(ofShell('analyst', '')).toEqual(names.toSorted())
    expect(ofShell('sql', 'analyst', 'infl')).toEqual(['inflation'])
    expect(ofShell('completion', '')).toEqual(['bash', 'fish', 'zsh'])
  })

  test.runIf(isThere)(`${shell} completes the options of a query and their values`, () => {
    expect(ofShell('analyst', 'inflation', '--gr')).toEqual(['--granularity'])
    expect(ofShell('analyst', 'inflation', '--as')).toEqual(['--as-of'])
    expect(ofShell('analyst', 'inflation', '--granularity', '')).toEqual(['daily', 'monthly', 'weekly'])
    expect(ofShell('marketing', 'brand-tracker', '--each', '')).toEqual(['brand', 'retailer'])
    expect(ofShell('analyst', 'inflation', '--parquet', 'pri')).toEqual(['prices.parquet'])
  })
}

test.runIf(isInstalled('zsh'))('zsh accepts the script', () => {
  expect(run('zsh', 'source complete.zsh; print $+functions[_shelfmark]')).toEqual(['1'])
})

test('the command prints the script, and refuses other shells by name', async () => {
  const written = { out: '', err: '' }
  const sink = (name: 'out' | 'err') => ({
    write: (chunk: string | Uint8Array) => {
      written[name] += String(chunk)
    },
    ...{ isTerminal: false, hasColours: false, columns: 80 },
  })
  const terminal = { stdout: sink('out'), stderr: sink('err') }
  expect(await runCli(['completion', 'fish'], terminal)).toBe(0)
  expect(written.out).toBe(completionScript(['fish']))
  expect(await runCli(['completion', 'tcsh'], terminal)).toBe(2)
  expect(JSON.parse(written.err).error.message).toBe('completion: expected bash, zsh, fish, got "tcsh"')
})
