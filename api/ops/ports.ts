import { once } from 'node:events'
import { createServer } from 'node:net'

/** How many ports are tried from the default one on. */
const MAX_TRIED = 100

/** Why a port cannot be bound now; null if it can. Port 0 always can. */
const bindError = async (port: number, host: string): Promise<NodeJS.ErrnoException | null> => {
  const server = createServer()
  try {
    server.listen(port, host)
    await once(server, 'listening')
    return null
  } catch (error) {
    return error as NodeJS.ErrnoException
  } finally {
    server.close()
  }
}

/** Throws the error of binding a port, before any work is done for a service that could not listen. */
export const requireFreePort = async (port: number, host: string): Promise<void> => {
  const error = await bindError(port, host)
  if (error) throw error
}

/** The first of the ports from `first` on that is free and is followed by a free one, for the admin listener. */
export const findFreePort = async (first: number, host: string): Promise<number> => {
  for (let port = first; port < first + MAX_TRIED; port++)
    if ((await bindError(port, host)) === null && (await bindError(port + 1, host)) === null) return port
  return first
}
