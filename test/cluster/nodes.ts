import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmdirSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, statfs, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ClusterNode, type Store } from '../../engine/index.ts'
import { type LoadOptions, type LoadReport, loadCluster } from '../../ingest/cluster/load.ts'

const HOST = fileURLToPath(new URL('../../.ci/cluster/node.mjs', import.meta.url))

/** The statements that create users on the page for operators. */
export const userStatements = (
  /```sql\n(CREATE USER .*?)```/s.exec(
    readFileSync(new URL('../../api/operations/cluster.md', import.meta.url), 'utf8'),
  )?.[1] ?? ''
)
  .split(';\n')
  .filter(Boolean)

const grantsOf = (user: string): string => {
  const grants = userStatements.filter((sql) => sql.startsWith('GRANT') && sql.endsWith(` TO ${user}`))
  return `<grants>${grants.map((sql) => `<query>${sql.replace(/ TO \w+$/, '')}</query>`).join('')}</grants>`
}

/**
 * Who may do what on a node: `writer` everything, `loader` and `reader` what their page grants for loads and
 * services, and readers who cannot serve.
 */
export const users = {
  writer: '<profile>default</profile>',
  loader: `<profile>default</profile>${grantsOf('shelfmark_load')}`,
  /** Its statements are in system.query_log. */
  logged: '<profile>logged</profile>',
  reader: `<profile>reader</profile>${grantsOf('shelfmark_read')}`,
  /** May change no setting. */
  fixed: '<profile>fixed</profile><grants><query>GRANT SELECT ON *.*</query></grants>',
  /** May not change one of the settings that statements are written for. */
  constrained: '<profile>constrained</profile><grants><query>GRANT SELECT ON *.*</query></grants>',
  /** Stops a statement at a limit and returns what there is, without an error. */
  breaking: '<profile>breaking</profile><grants><query>GRANT SELECT ON *.*</query></grants>',
} as const
export type User = keyof typeof users
export const PASSWORD = 'secret'

/** The TCP interface of chdb may abort its process when a peer resets a connection, as hedged requests do. */
const UNHEDGED = '<use_hedged_requests>0</use_hedged_requests>'

const userXml = Object.entries(users).map(
  ([name, rights]) =>
    `<${name}><password>${PASSWORD}</password><networks><ip>127.0.0.1</ip></networks><quota>default</quota>${rights}</${name}>`,
)
const usersXml = `<clickhouse>
  <profiles>
    <default>${UNHEDGED}</default>
    <reader><readonly>2</readonly>${UNHEDGED}</reader>
    <logged><log_queries>1</log_queries></logged>
    <fixed><readonly>1</readonly></fixed>
    <constrained>
      <readonly>2</readonly><join_use_nulls>0</join_use_nulls>
      <constraints><join_use_nulls><readonly/></join_use_nulls></constraints>
    </constrained>
    <breaking><readonly>2</readonly><max_rows_to_read>100</max_rows_to_read><read_overflow_mode>break</read_overflow_mode></breaking>
  </profiles>
  <users>
    <default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default>
    ${userXml.join('\n    ')}
  </users>
  <quotas><default/></quotas>
</clickhouse>`

/** The name of the cluster that nodes are told of. */
export const CLUSTER_NAME = 'shelfmark'

/** A node's ports of HTTP and, for other nodes, of TCP. */
type Ports = { http: number; tcp: number }

/** The cluster of some nodes, replicas of a shard beside each other; none of a single node. The secret lets the rights of the user who asks apply. */
const clusterXml = (shards: readonly (readonly Ports[])[]): string =>
  shards.flat().length === 1
    ? ''
    : `<remote_servers><${CLUSTER_NAME}><secret>${PASSWORD}</secret>${shards
        .map(
          (replicas) =>
            `<shard>${replicas.map(({ tcp }) => `<replica><host>127.0.0.1</host><port>${tcp}</port></replica>`).join('')}</shard>`,
        )
        .join('')}</${CLUSTER_NAME}></remote_servers>`

const configXml = (folder: string, { http, tcp }: Ports, cluster: string): string => `<clickhouse>
  <logger><level>warning</level><log>${folder}/log</log><errorlog>${folder}/errors</errorlog></logger>
  <path>${folder}/data/</path><tmp_path>${folder}/temporary/</tmp_path>
  <http_port>${http}</http_port><tcp_port>${tcp}</tcp_port><listen_host>127.0.0.1</listen_host>
  <asynchronous_metrics_update_period_s>3600</asynchronous_metrics_update_period_s>
  <user_directories><users_xml><path>${folder}/users.xml</path></users_xml></user_directories>
  <query_log><database>system</database><table>query_log</table></query_log>
  ${cluster}
</clickhouse>`

/** Below the ports that the system gives to connections, which could take one before a node listens on it. */
const [FIRST_PORT, PORTS] = [12_000, 20_000]

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}

/** A port that nothing listens on. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = FIRST_PORT + Math.floor(Math.random() * PORTS)
    if (await isFree(port)) return port
  }
}

const MAX_ABORTED = 20

const mountDisk = (folder: string, mib: number): void =>
  void execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mib}m`, 'tmpfs', folder], { stdio: 'pipe' })

/** Whether nodes can have disks of their own: whether this user may mount one. */
export const hasDisks = (): boolean => {
  const folder = mkdtempSync(join(tmpdir(), 'shelfmark-disk-'))
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', folder]).status === 0
  if (isMounted) spawnSync('umount', [folder])
  rmdirSync(folder)
  return isMounted
}

/** A ClickHouse node in a process of its own, with its data in a folder. */
export class Node {
  readonly ports: Ports
  /** How often its process aborted by itself, and was started again: that of chdb may when a peer is lost. */
  aborted = 0
  readonly #folder: string
  #hasDisk = false
  #child: ChildProcess | undefined

  private constructor(folder: string, ports: Ports) {
    this.#folder = folder
    this.ports = ports
  }

  static async start(ports: Ports, cluster: string, disk_mib?: number): Promise<Node> {
    const folder = await mkdtemp(join(tmpdir(), 'shelfmark-node-'))
    const node = new Node(folder, ports)
    await mkdir(node.#disk)
    if (disk_mib !== undefined) mountDisk(node.#disk, disk_mib)
    node.#hasDisk = disk_mib !== undefined
    await writeFile(join(folder, 'users.xml'), usersXml)
    await node.restart(cluster)
    return node
  }

  /** Starts the node again with a cluster in its configuration. */
  async restart(cluster: string): Promise<void> {
    await this.kill()
    await writeFile(join(this.#folder, 'config.xml'), configXml(this.#folder, this.ports, cluster))
    await this.start()
  }

  get #disk(): string {
    return join(this.#folder, 'data')
  }

  /** Fills the node's own disk but for some bytes; all of it is free again with `null`. */
  async fill(free_bytes: number | null): Promise<void> {
    const file = join(this.#disk, 'other')
    await rm(file, { force: true })
    if (free_bytes === null) return
    const { bavail, bsize } = await statfs(this.#disk)
    await writeFile(file, Buffer.alloc(Math.max(0, bavail * bsize - free_bytes))).catch((cause: { code?: string }) => {
      // The node has taken some of the space meanwhile.
      if (cause.code !== 'ENOSPC') throw cause
    })
  }

  get host(): string {
    return `127.0.0.1:${this.ports.http}`
  }

  /** Statements of a user on this node. */
  as(user: User, database?: string): ClusterNode {
    return new ClusterNode({ url: `http://${this.host}`, user, password: PASSWORD, ...(database ? { database } : {}) })
  }

  /** Starts the node, on the data that it had when it ended, and waits until it answers. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, [HOST, join(this.#folder, 'config.xml')], {
      cwd: this.#folder,
      // A group of its own: an interrupt at the terminal ends the tests, which end the nodes.
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    this.#child = child
    const errors: string[] = []
    child.stderr!.on('data', (text) => errors.push(String(text)))
    child.on('exit', (_, signal) => {
      if (signal !== 'SIGABRT' || this.#child !== child) return
      this.aborted += 1
      this.start().catch(() => undefined)
    })
    while (!(await this.#answers())) {
      // One that aborts by itself is started again, perhaps before it answered.
      const hasEnded = child.exitCode !== null || (child.signalCode !== null && child.signalCode !== 'SIGABRT')
      if (hasEnded || this.aborted > MAX_ABORTED)
        throw new Error(`the node exited: ${errors.join('')}\n${await this.#log()}`)
      await sleep(50)
    }
  }

  async #answers(): Promise<boolean> {
    return fetch(`http://${this.host}/ping`).then(
      ({ ok }) => ok,
      () => false,
    )
  }

  async #log(): Promise<string> {
    return readFile(join(this.#folder, 'errors'), 'utf8').catch(() => '')
  }

  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child!.kill(signal)
  }

  /** Ends the node as a power cut does. */
  async kill(): Promise<void> {
    const child = this.#child
    this.#child = undefined
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }

  async remove(): Promise<void> {
    await this.kill()
    if (this.#hasDisk) execFileSync('umount', [this.#disk])
    await rm(this.#folder, { recursive: true, force: true })
  }
}

/** The address of nodes for one of their users. */
export const addressOf = (nodes: readonly Node[], user: User = 'reader'): string =>
  `clickhouse://${user}:${PASSWORD}@${nodes.map(({ host }) => host).join()}`

/** How often nodes ended by themselves. */
export const abortedOf = (nodes: readonly Node[]): number => nodes.reduce((sum, { aborted }) => sum + aborted, 0)

/** Loads a lake, or what a store has, into all nodes of a cluster, or into one without. */
export const loadNodes = (
  lake: string | Store,
  nodes: readonly Node[],
  user: User = 'writer',
  options: LoadOptions = {},
): Promise<LoadReport> =>
  loadCluster(lake, addressOf(nodes, user), { ...(nodes.length > 1 && { cluster: CLUSTER_NAME }), ...options })

/**
 * Starts a cluster of so many shards, each on so many nodes: the replicas of the first shard first; each with a disk of its
 * own where its size is given.
 */
export const startNodes = async (shards: number, replicas = 1, disk_mib?: number): Promise<Node[]> => {
  const ports: Ports[][] = []
  for (let shard = 0; shard < shards; shard += 1) {
    ports.push([])
    for (let replica = 0; replica < replicas; replica += 1)
      ports[shard]!.push({ http: await freePort(), tcp: await freePort() })
  }
  const cluster = clusterXml(ports)
  return Promise.all(ports.flat().map((of) => Node.start(of, cluster, disk_mib)))
}

/** Restarts nodes as a cluster of other shards, each of some of them. */
export const arrangeNodes = async (shards: readonly (readonly Node[])[]): Promise<void> => {
  const cluster = clusterXml(shards.map((replicas) => replicas.map(({ ports }) => ports)))
  await Promise.all(shards.flat().map((node) => node.restart(cluster)))
}
