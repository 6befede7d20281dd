import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { withLock } from '../../ingest/snapshot/lock.ts'
import { compiled } from '../support/compiled.ts'
import { container } from '../support/containers.ts'
import { sized } from '../support/full-size.ts'
import { emptyLake } from './empty-lake.ts'

const start = (within: readonly string[], script: string, ...options: string[]) => {
  const [command, ...rest] = [...within, process.execPath, compiled(`test/ingest/${script}`), ...options]
  // unshare complains of a command that is killed.
  const errors = within.length > 0 ? 'ignore' : 'inherit'
  const child = spawn(command!, rest, { stdio: ['ignore', 'pipe', errors] })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

const hold = async (within: readonly string[], lake: string) => {
  const owner = start(within, 'lock-holder.ts', lake)
  expect(String(await once(owner.stdout, 'data'))).toBe('held')
  return owner
}

const enter = async () => 'in'

const refusal = (lake: string): Promise<{ code: string; message: string; details: { pid: number | null } }> =>
  withLock(lake, enter).then(
    () => expect.unreachable('the lock is free'),
    (cause) => cause,
  )

describe('withLock', () => {
  it('creates the lake and releases the lock after the work, even if the work fails', async () => {
    const lake = await emptyLake()
    expect(await withLock(lake, enter)).toBe('in')
    const failure = withLock(lake, async () => {
      throw new Error('no feeds')
    })
    await expect(failure).rejects.toThrow('no feeds')
    expect(await withLock(lake, enter)).toBe('in')
    expect(readdirSync(lake)).toEqual(['lock.duckdb'])
  })

  it('does not nest, whatever the path, and a refusal leaves the lock with its owner', async () => {
    const lake = await emptyLake()
    const alias = join(dirname(lake), 'alias')
    symlinkSync(lake, alias)
    await withLock(lake, async () => {
      const message = `process ${process.pid} is changing the lake ${alias}; retry when it exits`
      expect(await refusal(alias)).toMatchObject({ code: 'NOT_READY', message, details: { pid: process.pid } })
      expect(await text(start([], 'lock-holder.ts', lake).stdout)).toBe(
        `process ${process.pid} is changing the lake ${lake}; retry when it exits`,
      )
    })
    expect(await withLock(alias, enter)).toBe('in')
  })

  it('names the process that holds the lock, and takes it over when that is killed', async () => {
    const lake = await emptyLake()
    const owner = await hold([], lake)
    const message = `process ${owner.pid} is changing the lake ${lake}; retry when it exits`
    expect(await refusal(lake)).toMatchObject({ code: 'NOT_READY', message, details: { pid: owner.pid } })
    owner.kill('SIGKILL')
    await once(owner, 'exit')
    expect(await withLock(lake, enter)).toBe('in')
  })

  it('admits one process at a time while the lock file is being damaged and removed', async () => {
    const lake = await emptyLake()
    await mkdir(lake)
    const contenders = [1, 2, 3].map(() => start([], 'lock-contender.ts', lake, sized('12', '40')))
    const ends = await Promise.all(contenders.map((contender) => once(contender, 'exit')))
    expect(ends).toEqual(contenders.map(() => [0, null]))
  })
})

const between = container ? '' : ' (skipped: unshare is not installed, or may not make namespaces here)'

describe.runIf(container)(`withLock between containers${between}`, () => {
  it('refuses, with a pid only where the system has one, and takes over when the owner is killed', async () => {
    const lake = await emptyLake()
    const owner = await hold(container!, lake)
    expect(await text(start(container!, 'lock-holder.ts', lake).stdout)).toBe(
      `another process is changing the lake ${lake}; retry when it exits`,
    )
    const { code, message, details } = await refusal(lake)
    expect({ code, message }).toEqual({
      code: 'NOT_READY',
      message: `process ${details.pid} is changing the lake ${lake}; retry when it exits`,
    })
    process.kill(details.pid!, 'SIGKILL')
    await once(owner, 'exit')
    expect(await withLock(lake, enter)).toBe('in')
  })

  it('admits one process at a time', async () => {
    const lake = await emptyLake()
    await mkdir(lake)
    const contenders = [container!, container!, []].map((within) =>
      start(within, 'lock-contender.ts', lake, sized('6', '20')),
    )
    const ends = await Promise.all(contenders.map((contender) => once(contender, 'exit')))
    expect(ends).toEqual(contenders.map(() => [0, null]))
  })
})

// DuckDB checks the version only in a header whose checksum, its first eight bytes, is right.
const ofNewerDuckDB = (file: Buffer): Buffer => {
  file.writeBigUInt64LE(999n, 12)
  let checksum = 5381n
  for (let at = 8; at < 4096; at += 8) checksum ^= BigInt.asUintN(64, file.readBigUInt64LE(at) * 0xbf58476d1ce4e5b9n)
  file.writeBigUInt64LE(checksum, 0)
  return file
}

describe('a lock file', () => {
  const remade = async () => {
    const lake = await emptyLake()
    await withLock(lake, enter)
    return { lake, file: join(lake, 'lock.duckdb') }
  }

  it.each<[string, (file: Buffer) => Buffer]>([
    ['that is empty', () => Buffer.alloc(0)],
    ['that was cut short', (file) => file.subarray(0, 5000)],
    ['of other bytes', () => Buffer.alloc(50_000, 'other bytes ')],
    ['of another database', () => Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(8192)])],
    ['with a damaged header', (file) => file.fill(0xff, 100, 120)],
    ['of a newer DuckDB', ofNewerDuckDB],
  ])('%s is made valid in place', async (_, damaged) => {
    const { lake, file } = await remade()
    const valid = readFileSync(file)
    writeFileSync(file, damaged(Buffer.from(valid)))
    expect(await withLock(lake, enter)).toBe('in')
    expect(readFileSync(file)).toEqual(valid)
    expect(readdirSync(lake)).toEqual(['lock.duckdb'])
  })

  it('is opened without a write-ahead log that cannot be replayed', async () => {
    const { lake, file } = await remade()
    // An entry of 16 bytes with the log's version and a wrong checksum.
    writeFileSync(`${file}.wal`, Buffer.from(`640062650002ffff1000000000000000${'00'.repeat(24)}`, 'hex'))
    expect(await withLock(lake, enter)).toBe('in')
    expect(readdirSync(lake)).toEqual(['lock.duckdb'])
  })

  it('that is damaged while it is held remains locked', async () => {
    const { lake, file } = await remade()
    const owner = await hold([], lake)
    writeFileSync(file, 'other bytes')
    expect((await refusal(lake)).details.pid).toBe(owner.pid)
  })

  it('is independent of the symbolic link of earlier versions', async () => {
    const lake = await emptyLake()
    await mkdir(lake)
    symlinkSync('1 1 5b2c', join(lake, 'refresh.lock'))
    expect(await withLock(lake, enter)).toBe('in')
    expect(readdirSync(lake)).toEqual(['lock.duckdb', 'refresh.lock'])
  })
})

const canTrace = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0
const whereTraced = canTrace ? '' : ' (skipped: strace is not installed, or may not trace here)'

describe('a lake that cannot be locked', () => {
  it('is refused with the path and the reason where it cannot be created', async () => {
    const lake = join(await emptyLake(), '..', 'file', 'lake')
    writeFileSync(dirname(lake), '')
    expect(await refusal(lake)).toMatchObject({
      code: 'NOT_READY',
      message: `cannot lock the lake ${lake}: ENOTDIR: not a directory, mkdir '${lake}'`,
    })
  })

  it('is refused where its lock file cannot be opened', async () => {
    const lake = await emptyLake()
    await mkdir(join(lake, 'lock.duckdb'), { recursive: true })
    expect((await refusal(lake)).message).toMatch(/^cannot lock the lake .*: EISDIR: .*lock\.duckdb'$/)
  })

  it.runIf(existsSync('/dev/full'))('is refused where the disk is full', async () => {
    const lake = await emptyLake()
    await mkdir(lake)
    symlinkSync('/dev/full', join(lake, 'lock.duckdb'))
    expect((await refusal(lake)).message).toBe(`cannot lock the lake ${lake}: ENOSPC: no space left on device, write`)
  })

  it.runIf(canTrace)(`is refused where the file system has no locks${whereTraced}`, async () => {
    const lake = await emptyLake()
    await withLock(lake, enter)
    const failing = ['-e', 'trace=fcntl', '-e', 'inject=fcntl:error=ENOLCK', '-P', join(lake, 'lock.duckdb')]
    expect(await text(start(['strace', '-f', '-o', '/dev/null', ...failing], 'lock-holder.ts', lake).stdout)).toBe(
      `cannot lock the lake ${lake}: its file system refuses file locks (No locks available); move the lake to one that supports them`,
    )
  })
})
