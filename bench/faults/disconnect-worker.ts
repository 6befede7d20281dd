// Sends concurrent queries and disconnects before their answers: reports when the last client disconnected.
import { once } from 'node:events'
import { connect } from 'node:net'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { computed, numbered } from './numbered.ts'

type Instruction = { port: number; clients: number; from: number }

/** About as long as a query takes: some leave while theirs waits, some while it runs. */
const MAX_STAY_MS = 40

process.once('message', async ({ port, clients, from }: Instruction) => {
  const leave = async (client: number): Promise<number> => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(`GET ${numbered(computed, from + client)} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    await sleep((client * 7) % MAX_STAY_MS)
    const disconnectedAt = performance.timeOrigin + performance.now()
    socket.resetAndDestroy()
    return disconnectedAt
  }
  const times = await Promise.all(Array.from({ length: clients }, (_, client) => leave(client)))
  process.send!(Math.max(...times))
  process.disconnect()
})
