import type { Server, Socket } from 'node:net'

/** Connections beyond the limit that are still answered, with a refusal; more are closed at once. */
const REFUSED_AT_ONCE = 100

/** Limits the open connections of a server. Says of a socket whether it is beyond the limit, so that it can be refused. */
export const limitConnections = (server: Server, max_connections: number): ((socket: Socket) => boolean) => {
  const refused = new WeakSet<Socket>()
  let open = 0
  server.maxConnections = max_connections + REFUSED_AT_ONCE
  server.on('connection', (socket) => {
    open += 1
    if (open > max_connections) refused.add(socket)
    socket.once('close', () => {
      open -= 1
    })
  })
  return (socket) => refused.has(socket)
}
