import { EngineError } from './errors.ts'
import { commandLine } from './program.ts'

export type FileProblem = { file: string; reason: string }

/** What the system says of a failed call, such as ENOENT. */
export const codeOf = (cause: unknown): string => (cause as NodeJS.ErrnoException).code ?? String(cause)

const SCARCE: Readonly<Record<string, string>> = {
  EMFILE: 'the process has no file descriptor left; raise its limit (ulimit -n)',
  ENFILE: 'the machine has no file descriptor left; raise fs.file-max',
  ENOMEM: 'the machine has no memory left',
}

/** Throws NOT_READY where the process lacks what it takes to read a file, which says nothing about the file. */
export const refuseScarcity = (cause: unknown): void => {
  const reason = SCARCE[codeOf(cause)]
  if (reason) throw new EngineError('NOT_READY', `nothing can be read now: ${reason}`, { reason })
}

/** The refusal of a lake that is not sound, naming the file at fault and what to run. */
export const notSound = (lake: string, message: string, details: FileProblem & { snapshot_id?: string }): EngineError =>
  new EngineError(
    'NOT_READY',
    `${message}. To see every problem run: ${commandLine('refresh', `verify --lake ${lake}`)}. ` +
      `To serve an older snapshot run: ${commandLine('refresh', `rollback [ID] --lake ${lake}`)}`,
    details,
  )
