import { commandLine } from '../../contract/program.ts'
import { Engine } from '../../query/engine.ts'
import { type Sink, withNotice } from './terminal.ts'

/** A warning that an older snapshot replaces a damaged one; null normally. */
const fallbackWarning = (lake: string, { state: { damage }, fallback_for, manifest }: Engine): string | null =>
  damage &&
  `The published snapshot ${fallback_for} is damaged (${damage.file}: ${damage.reason}); using ` +
    `${manifest.snapshot_id} instead. To see every problem run: ${commandLine('refresh', `verify --lake ${lake}`)}`

/** Opens a lake for one command, with a notice while its files are checked and a warning if it is damaged. */
export const openEngine = async (lake: string, as_of: Date | undefined, stderr: Sink): Promise<Engine> => {
  const opening = Engine.open(lake, { as_of, connections: 1 })
  const engine = await withNotice(opening, `Checking the files of ${lake} ...`, stderr)
  const warning = fallbackWarning(lake, engine)
  if (warning) stderr.write(`${warning}\n`)
  return engine
}
