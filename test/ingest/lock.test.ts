import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { lstatSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { withLock } from '../../ingest/snapshot/lock.ts'
import { emptyLake } from './empty-lake.ts'

const start = (script: string, ...options: string[]) => {
  const path = new URL(script, import.meta.url).pathname
  const child = spawn(process.execPath, ['--import', 'tsx', path, ...options], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

describe('withLock', () => {
  it('makes the lake, holds the lock during the work and releases it, also where the work fails', async () => {
    const lake = await emptyLake()
    const held = () => readlinkSync(join(lake, 'refresh.lock'))
    expect(await withLock(lake, async () => held())).toMatch(new RegExp(`^${process.pid}`))
    await expect(
      withLock(lake, async () => {
        throw new Error('no feeds')
      }),
    ).rejects.toThrow('no feeds')
    expect(readdirSync(lake)).toEqual([])
  })

  it('refuses, naming the owner, while another process is at work, and takes over when that one is killed', async () => {
    const lake = await emptyLake()
    const owner = start('publisher.ts', lake)
    await once(owner.stdout, 'data')
    owner.stdin.write('go\n')
    while (!lstatSync(join(lake, 'refresh.lock'), { throwIfNoEntry: false })) await new Promise(setImmediate)
    await expect(withLock(lake, async () => 'in')).rejects.toMatchObject({
      code: 'NOT_READY',
      message: `process ${owner.pid} is changing this lake: run again when it has ended`,
      details: { pid: owner.pid },
    })
    owner.kill('SIGKILL')
    await once(owner, 'exit')
    expect(await withLock(lake, async () => 'in')).toBe('in')
    expect(readdirSync(lake).filter((name) => name.startsWith('refresh'))).toEqual([])
  })

  it.each([
    ['a process that has ended', '999999999 127613 5b2c'],
    ['an earlier process of the same pid', `${process.pid} 1 5b2c`],
    ['nobody', 'nonsense'],
  ])('takes over the lock of %s', async (_, owner) => {
    const lake = await emptyLake()
    await mkdir(lake)
    symlinkSync(owner, join(lake, 'refresh.lock'))
    symlinkSync(owner, join(lake, 'refresh.lock.heir'))
    expect(await withLock(lake, async () => 'in')).toBe('in')
    expect(readdirSync(lake)).toEqual([])
  })

  it('lets one process in at a time while several take over from the dead', async () => {
    const lake = await emptyLake()
    await mkdir(lake)
    const contenders = [1, 2, 3].map(() => start('lock-contender.ts', lake, '40'))
    const ends = await Promise.all(contenders.map((contender) => once(contender, 'exit')))
    expect(ends).toEqual(contenders.map(() => [0, null]))
  })
})
