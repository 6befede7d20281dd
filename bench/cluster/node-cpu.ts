import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** Clock ticks of /proc a second, the same on every Linux. */
const TICKS = 100
const LISTENING = '0A'

/** The inodes of sockets of this machine that listen on a port. */
const listeningSockets = (port: number): Set<string> => {
  const hexPort = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const lines = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) => readFileSync(file, 'utf8').split('\n').slice(1))
  const sockets = lines.map((line) => line.trim().split(/\s+/))
  const listening = sockets.filter(([, local = '', , state]) => state === LISTENING && local.endsWith(hexPort))
  return new Set(listening.map((fields) => `socket:[${fields[9]}]`))
}

const linksOf = (pid: string): string[] => {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`))
  } catch {
    // It has ended, or belongs to another user.
    return []
  }
}

/** The process of this machine that listens on the port of an address such as http://127.0.0.1:8123; null if none is found. */
const processOf = (url: string): string | null => {
  const sockets = listeningSockets(Number(new URL(url).port))
  if (sockets.size === 0) return null
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.find((pid) => linksOf(pid).some((link) => sockets.has(link))) ?? null
}

const cpuMsOf = (pid: string): number => {
  const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ').slice(11, 13)
  return ((Number(user) + Number(system)) * 1000) / TICKS
}

/** What reads the CPU milliseconds that nodes on this machine have used together; null if one runs elsewhere. */
export const nodesCpuMs = (urls: readonly string[]): (() => number) | null => {
  const pids = urls.map(processOf)
  if (pids.some((pid) => pid === null)) return null
  return () => pids.reduce((sum, pid) => sum + cpuMsOf(pid!), 0)
}
