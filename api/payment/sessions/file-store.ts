import { appendFileSync, closeSync, fdatasync, fstatSync, ftruncateSync, openSync } from 'node:fs'
import { promisify } from 'node:util'
import { replaceFile, shareFlushes } from '../durable.ts'
import { readLines } from '../lines.ts'
import type { Session } from './session.ts'
import { fromText, type SessionStore, toText } from './store.ts'

const sync = promisify(fdatasync)

/** The file is rewritten after this many appended changes. */
const MAX_CHANGES = 10_000

/** The sessions in a file, by id; a service may be writing it. */
export const readSessionFile = (path: string): Map<string, Session> => {
  const sessions = new Map<string, Session>()
  for (const line of readLines(path)) {
    const session = fromText(line)
    sessions.set(session.channelId, session)
  }
  return sessions
}

/** Keeps sessions in a file beside the journal, whose lock covers it: one line for each change. */
export const openSessionFile = async (path: string): Promise<SessionStore> => {
  const sessions = readSessionFile(path)
  let descriptor = -1
  let changes = 0
  const compact = (): void => {
    if (descriptor >= 0) closeSync(descriptor)
    replaceFile(
      path,
      [...sessions.values()].map((session) => `${toText(session)}\n`),
    )
    descriptor = openSync(path, 'a', 0o600)
    changes = 0
  }
  compact()

  const flush = shareFlushes(() => {
    if (changes > MAX_CHANGES) compact()
    return sync(descriptor)
  })
  const write = (id: string, session: Session): void => {
    const { size } = fstatSync(descriptor)
    try {
      appendFileSync(descriptor, `${toText(session)}\n`)
    } catch (error) {
      // A full disk writes part of a line, which would corrupt the next.
      ftruncateSync(descriptor, size)
      throw error
    }
    sessions.set(id, session)
    changes += 1
  }
  const put = async (id: string, session: Session): Promise<void> => {
    write(id, session)
    await flush()
  }
  let failure: Error | null = null

  return {
    get: async (id) => sessions.get(id) ?? null,
    put,
    async delete() {},
    async update(id, change) {
      const changed = change(sessions.get(id) ?? null)
      if (changed.op === 'set') await put(id, changed.value)
      return changed.result
    },
    async charge(id, change) {
      // After a failed flush nothing is sold until one succeeds.
      if (failure) await flush()
      const changed = change(sessions.get(id) ?? null)
      if (changed.op !== 'set') return changed.result
      write(id, changed.value)
      flush().then(
        () => {
          failure = null
        },
        (error) => {
          failure = error
        },
      )
      return changed.result
    },
    open: async () => [...sessions.values()].filter(({ finalized }) => !finalized),
    exclusive: (_, work) => work(),
    async close() {
      await flush()
      closeSync(descriptor)
    },
  }
}
