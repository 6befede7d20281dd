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
