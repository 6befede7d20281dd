import { EngineError } from '../errors.ts'

/** A ClickHouse cluster as a setting names it: every node has one shard of each snapshot, in this order. */
export type ClusterAddress = {
  nodes: readonly string[]
  user: string
  password: string
}

const ADDRESS = /^clickhouse(s?):\/\/(?:([^:@/]+)(?::([^@/]*))?@)?([^@/?#]+)\/?$/
const EXAMPLE = 'clickhouse://USER:PASSWORD@HOST:8123,HOST2:8123 (clickhouses:// for HTTPS)'

const isHost = (host: string): boolean => URL.canParse(`http://${host}`) && new URL(`http://${host}`).host !== ''

/** Reads a cluster's address. Throws EngineError INVALID_PARAMS for anything else. */
export const readClusterAddress = (text: string): ClusterAddress => {
  const [, secure, user = 'default', password = '', list = ''] = ADDRESS.exec(text) ?? []
  const hosts = list.split(',').map((host) => host.trim())
  const isRepeated = new Set(hosts).size < hosts.length
  if (secure === undefined || !hosts.every(isHost) || isRepeated)
    throw new EngineError('INVALID_PARAMS', `expected ${EXAMPLE}${isRepeated ? ', each node once' : ''}`)
  return {
    nodes: hosts.map((host) => `http${secure}://${host}`),
    user: decodeURIComponent(user),
    password: decodeURIComponent(password),
  }
}
