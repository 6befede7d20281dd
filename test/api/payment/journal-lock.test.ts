import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openFileJournal } from '../../../api/payment/file-journal.ts'
import { compiled } from '../../support/compiled.ts'
import { container } from '../../support/containers.ts'
import { temporaryFolder } from '../../support/given.ts'

const holder = compiled('test/api/payment/journal-holder.ts')

const start = (within: readonly string[], file: string) => {
  const [command, ...rest] = [...within, process.execPath, holder, file]
  // unshare complains of a command that is killed.
  const errors = within.length > 0 ? 'ignore' : 'inherit'
  const child = spawn(command!, rest, { stdio: ['ignore', 'pipe', errors] })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

const hold = async (within: readonly string[], file: string) => {
  const owner = start(within, file)
  expect(String(await once(owner.stdout, 'data'))).toBe('held')
  return owner
}

const journalFile = async () => join(await temporaryFolder(), 'payments.jsonl')

const refusal = async (file: string): Promise<{ name: string; message: string }> => {
  try {
    await (await openFileJournal(file)).close()
  } catch (error) {
    return error as Error
  }
  return expect.unreachable('the journal is free')
}

const open = async (file: string) => (await openFileJournal(file)).close()

describe('the lock of a journal', () => {
  test('names the process that holds it, and is released when that is killed', async () => {
    const file = await journalFile()
    const owner = await hold([], file)
    const message = `SHELFMARK_JOURNAL: process ${owner.pid} has ${file} open; stop it, or set another file`
    expect(await refusal(file)).toMatchObject({ name: 'ConfigError', message })
    owner.kill('SIGKILL')
    await once(owner, 'exit')
    await open(file)
  })

  test('is not granted twice to one process, whatever the path', async () => {
    const file = await journalFile()
    const alias = `${dirname(file)}-alias`
    symlinkSync(dirname(file), alias)
    onTestFinished(() => void spawnSync('rm', [alias]))
    const journal = await openFileJournal(file)
    expect((await refusal(join(alias, 'payments.jsonl'))).message).toContain(`process ${process.pid} has`)
    expect(await text(start([], file).stdout)).toContain(`process ${process.pid} has ${file} open`)
    await journal.close()
    await open(file)
  })

  test('stays with its owner when the lock file is damaged', async () => {
    const file = await journalFile()
    const owner = await hold([], file)
    writeFileSync(`${file}.lock`, 'other bytes')
    expect((await refusal(file)).message).toContain(`process ${owner.pid} has`)
    owner.kill('SIGKILL')
    await once(owner, 'exit')
    await open(file)
  })

  test('is refused with the reason where it cannot be taken', async () => {
    const file = await journalFile()
    mkdirSync(`${file}.lock`)
    const { name, message } = await refusal(file)
    expect(name).toBe('ConfigError')
    expect(message).toMatch(/^SHELFMARK_JOURNAL: cannot lock .*: EISDIR/)
  })
})

const between = container ? '' : ' (skipped: unshare is not installed, or may not make namespaces here)'

describe.runIf(container)(`the lock of a journal between containers${between}`, () => {
  test('is refused, with a pid only where the system has one, and released when its owner is killed', async () => {
    const file = await journalFile()
    const owner = await hold(container!, file)
    expect(await text(start(container!, file).stdout)).toBe(
      `SHELFMARK_JOURNAL: another process has ${file} open; stop it, or set another file`,
    )
    const [, pid] = /process (\d+) has/.exec((await refusal(file)).message) ?? []
    process.kill(Number(pid), 'SIGKILL')
    await once(owner, 'exit')
    await open(file)
  })
})
