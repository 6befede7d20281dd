import { EngineError } from '../../contract/errors.ts'

/** Nodes of a ClickHouse cluster, as a setting names them. */
export type ClusterAddress = {
  nodes: readonly string[]
  user: string
  password: string
}

const ADDRESS = /^clickhouse(s?):\/\/(?:([^:@/]+)(?::([^@/]*))?@)?([^@/?#]+)\/?$/
const EXAMPLE = 'clickhouse://USER:PASSWORD@HOST:8123,HOST2:8123 (clickhouses:// for HTTPS)'
const ENCODE = ', with : @ / and % of USER and PASSWORD percent-encoded'
const HOST = /^[^:\s[\]]+(:\d{1,5})?$|^\[[\da-fA-F:.]+\](:\d{1,5})?$/

const isHost = (host: string): boolean => HOST.test(host) && URL.canParse(`http://${host}`)

/**
 * Reads a cluster's address. A node without a port has ClickHouse's own: 8123, for HTTPS 8443. Throws EngineError
 * INVALID_PARAMS for anything else; the message does not repeat the text, which contains a password.
 */
export const readClusterAddress = (text: string): ClusterAddress => {
  const fail = (detail = ''): EngineError => new EngineError('INVALID_PARAMS', `expected ${EXAMPLE}${detail}`)
  const [, secure, user = 'default', password = '', list = ''] = ADDRESS.exec(text.trim()) ?? []
  const hosts = list.split(',').map((host) => host.trim())
  if (secure === undefined && /@.*@/.test(text)) throw fail(ENCODE)
  if (secure === undefined || !hosts.every(isHost)) throw fail()
  const port = secure ? 8443 : 8123
  const nodes = hosts.map((host) => `http${secure}://${/:\d+$/.test(host) ? host : `${host}:${port}`}`.toLowerCase())
  if (new Set(nodes).size < nodes.length) throw fail(', each node once')
  try {
    return { nodes, user: decodeURIComponent(user), password: decodeURIComponent(password) }
  } catch {
    throw fail(ENCODE)
  }
}

/** Host and port of a node. */
export const hostOfNode = (url: string): string => url.replace(/^https?:\/\//, '')

/** The address of nodes for a command to copy, with placeholders for the user and the password. */
export const addressToCopy = (nodes: readonly string[]): string =>
  `clickhouse${nodes[0]?.startsWith('https:') ? 's' : ''}://USER:PASSWORD@${nodes.map(hostOfNode).join()}`
