import type { ServerResponse } from 'node:http'
import type { Server, Socket } from 'node:net'

/** Connections beyond the limit that still receive a refusal; further ones are closed at once. */
const MAX_REFUSED = 100

/** Limits the open connections of a server. Returns a function that says whether a socket is beyond the limit. */
export const limitConnections = (server: Server, max_connections: number): ((socket: Socket) => boolean) => {
  const refused = new WeakSet<Socket>()
  let open = 0
  server.maxConnections = max_connections + MAX_REFUSED
  server.on('connection', (socket) => {
    open += 1
    if (open > max_connections) refused.add(socket)
    socket.once('close', () => {
      open -= 1
    })
  })
  return (socket) => refused.has(socket)
}

/**
 * Makes the requests of a connection wait for each other: those that a client sends without waiting for answers take one
 * place of the queue at a time, as those of other clients do. Resolves when the turn of a request has come, or its
 * connection has closed.
 */
export const createTurns = () => {
  const lines = new WeakMap<Socket, (() => void)[]>()
  const lineOf = (socket: Socket): (() => void)[] => {
    const existing = lines.get(socket)
    if (existing) return existing
    const line: (() => void)[] = []
    lines.set(socket, line)
    socket.once('close', () => {
      for (const start of line.splice(0)) start()
    })
    return line
  }
  return (socket: Socket, response: ServerResponse): Promise<void> =>
    new Promise((start) => {
      const line = lineOf(socket)
      line.push(start)
      if (line.length === 1) start()
      response.once('close', () => {
        if (line.includes(start)) line.splice(line.indexOf(start), 1)
        line[0]?.()
      })
    })
}
