import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sized } from '../support/full-size.ts'
import { sampleLake } from '../support/given.ts'

const root = new URL('../../', import.meta.url).pathname
const isLinux = existsSync('/proc/self/task')
const where = isLinux ? '' : ' (skipped: processes are listed by /proc, which is not here)'

type Process = { pid: number; parent: number; command: string; sockets: string[] }

const socketOf = (descriptor: string): string[] => {
  try {
    const target = readlinkSync(descriptor)
    return target.startsWith('socket:') ? [target.slice(8, -1)] : []
  } catch {
    // It was closed meanwhile.
    return []
  }
}

const processOf = (pid: number): Process[] => {
  try {
    const [state, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    if (state === 'Z') return []
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
    const sockets = readdirSync(`/proc/${pid}/fd`).flatMap((descriptor) => socketOf(`/proc/${pid}/fd/${descriptor}`))
    return [{ pid, parent: Number(parent), command, sockets }]
  } catch {
    // It has ended meanwhile.
    return []
  }
}

/** A process and all that it started, and what those started. */
const treeOf = (pid: number): Process[] => {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => processOf(Number(name)))
  const tree = all.filter((process) => process.pid === pid)
  for (const process of tree) tree.push(...all.filter(({ parent }) => parent === process.pid))
  return tree
}

/** The TCP ports that processes listen on, found by their sockets: a port that was freed may be another test's by then. */
const portsOf = (tree: readonly Process[]): number[] => {
  const sockets = new Set(tree.flatMap((process) => process.sockets))
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === '0A' && sockets.has(inode ?? ''))
    .map(([, local]) => Number.parseInt(local!.split(':')[1]!, 16))
}

let folder: string
/** Every process seen in a tree, so that none outlives a test that fails. */
const seen = new Set<number>()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shelfmark-tree-'))
  await symlink((await sampleLake()).lake, join(folder, 'lake'))
})
afterAll(async () => {
  for (const pid of seen) if (processOf(pid).length > 0) process.kill(pid, 'SIGKILL')
  await rm(folder, { recursive: true })
})

/** As a person starts it, by npm, and the service alone. */
const commands = { npm: ['npm', 'start'], node: [process.execPath, '.ci/start.mjs'] } as const

/** Starts a service until it prints what to try; its processes by then. */
const start = async (
  by: keyof typeof commands,
  environment: Record<string, string> = {},
  until = 'Stop: Ctrl-C',
): Promise<Process[]> => {
  const [command, ...args] = commands[by]
  const { PATH = '', HOME = '' } = process.env
  const env = {
    PATH,
    HOME,
    SHELFMARK_PORT: '0',
    SHELFMARK_ADMIN_PORT: '',
    SHELFMARK_LAKE: join(folder, 'lake'),
    ...environment,
  }
  const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (printed += text))
  while (!printed.includes(until)) {
    if (child.exitCode !== null) throw new Error(`${by} exited with ${child.exitCode}: ${printed}`)
    await sleep(50)
  }
  const tree = treeOf(child.pid!)
  for (const { pid } of tree) seen.add(pid)
  return tree
}

const untilGone = async (tree: readonly Process[]): Promise<void> => {
  const isRunning = ({ pid }: Process) => processOf(pid).length > 0
  while (tree.some(isRunning)) await sleep(50)
}

const isGroup = (leader: number): boolean => {
  try {
    return process.kill(-leader, 0)
  } catch {
    return false
  }
}

const roles = {
  npm: /^npm start/,
  'the shell of npm': /^sh -c node/,
  'the service': /^\S*node \S*\.ci\/start\.mjs/,
  'the chain of Base': /anvil .*--chain-id 84532/,
  'the chain of Tempo': /anvil .*--network tempo/,
  'the watcher of a chain': /^cat$/,
}
type Role = keyof typeof roles

const processIn = (tree: readonly Process[], role: Role): Process => {
  const child = tree.find(({ command }) => roles[role].test(command))
  if (!child) throw new Error(`no ${role} among:\n${tree.map(({ command }) => command).join('\n')}`)
  return child
}

describe(`a service${where}`, () => {
  type Killed = [by: keyof typeof commands, signal: NodeJS.Signals, role: Role]
  const ofNpm: Killed = ['npm', 'SIGTERM', 'npm']
  const ofService: Killed = ['node', 'SIGKILL', 'the service']
  const all: Killed[] = [
    ofNpm,
    ['npm', 'SIGTERM', 'the shell of npm'],
    ['npm', 'SIGTERM', 'the service'],
    ['npm', 'SIGKILL', 'npm'],
    ['node', 'SIGTERM', 'the chain of Base'],
    ['node', 'SIGTERM', 'the chain of Tempo'],
    ['node', 'SIGTERM', 'the watcher of a chain'],
    ['node', 'SIGHUP', 'the service'],
    ofService,
    ['node', 'SIGKILL', 'the chain of Base'],
  ]
  test.runIf(isLinux).each(sized([ofNpm, ofService], all))(
    'run by %s ends completely on %s to %s',
    async (by, signal, role) => {
      const tree = await start(by)
      // The service, the chains of Base, Solana and Tempo, and what serves the RPC of Tempo.
      expect(portsOf(tree)).toHaveLength(5)
      process.kill(processIn(tree, role).pid, signal)
      await untilGone(tree)
      // The last thread of a killed process closes them, which may be after the process itself has ended.
      await expect.poll(() => portsOf(tree), { timeout: 10_000 }).toEqual([])
    },
  )

  test.runIf(isLinux)('deletes the wallet on Ctrl-C', async () => {
    const tree = await start('npm')
    expect(await readdir(folder)).toContain('test-wallet.json')
    // A terminal sends it to the whole group, and npm passes it on: the service gets it twice.
    process.kill(-processIn(tree, 'npm').pid, 'SIGINT')
    await untilGone(tree)
    expect(await readdir(folder)).not.toContain('test-wallet.json')
  })

  test.runIf(isLinux).each<Role>(sized(['npm'], ['npm', 'the shell of npm', 'the service']))(
    'ends on SIGTERM to %s while it makes the first lake',
    async (role) => {
      const tree = await start('npm', { SHELFMARK_LAKE: join(folder, 'new', 'lake') }, 'making one from sample feeds')
      process.kill(processIn(tree, role).pid, 'SIGTERM')
      // No chain runs yet: whatever it has started by now is in one group.
      while (isGroup(tree[0]!.pid)) await sleep(50)
      await rm(join(folder, 'new'), { recursive: true, force: true })
    },
  )
})
