import { EngineError } from '../contract/errors.ts'
import { commandLine } from '../contract/program.ts'

export type FileProblem = { file: string; reason: string }

/** The system's error code of a failed call, such as ENOENT. */
export const codeOf = (cause: unknown): string => (cause as NodeJS.ErrnoException).code ?? String(cause)

const EXHAUSTED: Readonly<Record<string, string>> = {
  EMFILE: 'the process has no file descriptors left; raise its limit (ulimit -n)',
  ENFILE: 'the machine has no file descriptors left; raise fs.file-max',
  ENOMEM: 'the machine has no memory left',
}

/** Throws NOT_READY if a read failed because file descriptors or memory ran out: the file itself may be sound. */
export const throwIfExhausted = (cause: unknown): void => {
  const reason = EXHAUSTED[codeOf(cause)]
  if (reason) throw new EngineError('NOT_READY', `cannot read files: ${reason}`, { reason })
}

/** The refusal of a damaged lake, naming the damaged file and the commands to run. */
export const damagedLake = (
  lake: string,
  message: string,
  details: FileProblem & { snapshot_id?: string },
): EngineError =>
  new EngineError(
    'NOT_READY',
    `${message}. To see every problem run: ${commandLine('refresh', `verify --lake ${lake}`)}. ` +
      `To serve an older snapshot run: ${commandLine('refresh', `rollback [ID] --lake ${lake}`)}`,
    details,
  )

/** The refusal of a lake without a snapshot. */
export const noSnapshotIn = (lake: string): EngineError =>
  new EngineError(
    'NOT_READY',
    `There is no snapshot in ${lake}. Create one: ${commandLine('sample', '--out data/feeds --listings 2000')} && ` +
      commandLine('refresh', `--feeds data/feeds --lake ${lake}`),
  )
