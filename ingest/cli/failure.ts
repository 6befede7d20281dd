import { EngineError } from '../../engine/index.ts'
import { escaped } from './table.ts'

/** Advice on a failed system call, by its error code and by the message of DuckDB. */
const ADVICE: readonly [code: RegExp, message: RegExp, advice: string][] = [
  [/^(ENOSPC|EDQUOT)$/, /No space left on device|Disk quota exceeded|max_temp_directory_size/, 'free space'],
  [/^EFBIG$/, /File too large/, 'raise the limit on the size of files (ulimit -f)'],
  [/^EROFS$/, /Read-only file system/, 'make the file system writable, or name another folder'],
  [/^(EACCES|EPERM)$/, /Permission denied|Operation not permitted/, 'grant access, or name another folder'],
  [/^(EMFILE|ENFILE)$/, /Too many open files/, 'raise the limit on open files (ulimit -n)'],
  [/^ENOTDIR$/, /Not a directory/, 'name another folder'],
  [/^EIO$/, /Input\/output error/, 'check the disk'],
]

const causesOf = (cause: unknown): Error[] => (cause instanceof Error ? [cause, ...causesOf(cause.cause)] : [])

const adviceFor = (cause: unknown): string | undefined => {
  const causes = causesOf(cause)
  const codes = causes.map((error) => String((error as NodeJS.ErrnoException).code ?? ''))
  return ADVICE.find(
    ([code, pattern]) =>
      codes.some((thrown) => code.test(thrown)) || causes.some(({ message }) => pattern.test(message)),
  )?.[2]
}

/** What a failed command prints, and its exit code: 1 refused, 2 wrong usage, 3 internal failure. */
export const failureOf = (cause: unknown): { output: unknown; code: number } => {
  if (cause instanceof EngineError)
    return { output: escaped(cause.message), code: cause.code === 'INVALID_PARAMS' ? 2 : 1 }
  if (cause instanceof Error && 'code' in cause && String(cause.code).startsWith('ERR_PARSE_ARGS'))
    return { output: `${cause.message}\nSee --help.`, code: 2 }
  const advice = adviceFor(cause)
  if (advice === undefined) return { output: cause, code: 3 }
  const [line = ''] = (cause as Error).message.split('\n')
  return { output: `${escaped(line)}; ${advice}, then run it again`, code: 1 }
}
