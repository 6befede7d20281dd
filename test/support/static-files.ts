import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { atEnd } from './at-end.ts'

export type FileServer = {
  url: string
  /** The paths of the files that were read, each as often as it was. */
  requests: string[]
}

/** Serves the files of a folder over HTTP until the test file ends, ranges of bytes included. */
export const serveFiles = async (folder: string): Promise<FileServer> => {
  const requests: string[] = []
  const server = createServer(async ({ url = '', headers }, response) => {
    const path = decodeURIComponent(url)
    requests.push(path)
    const bytes = await readFile(join(folder, path)).catch(() => null)
    if (bytes === null) return void response.writeHead(404).end()
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? []
    if (first === undefined) return void response.end(bytes)
    response.writeHead(206).end(bytes.subarray(Number(first), Number(last) + 1))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}
