import { Engine } from '../engine.ts'
import { commandLine } from '../program.ts'
import { noticeDuring, type Sink } from './terminal.ts'

/** That a damaged snapshot is stood in for; null normally. */
const fallbackWarning = (lake: string, { state: { damage }, fallback_for, manifest }: Engine): string | null =>
  damage &&
  `The published snapshot ${fallback_for} is damaged (${damage.file}: ${damage.reason}): answered from ` +
    `${manifest.snapshot_id}. To see every problem run: ${commandLine('refresh', `verify --lake ${lake}`)}`

/** Opens a lake for one command, with a notice while its files are checked and a warning where it is damaged. */
export const openEngine = async (lake: string, as_of: Date | undefined, stderr: Sink): Promise<Engine> => {
  const opening = Engine.open(lake, { as_of, connections: 1 })
  const engine = await noticeDuring(opening, `Checking the files of ${lake} ...`, stderr)
  const warning = fallbackWarning(lake, engine)
  if (warning) stderr.write(`${warning}\n`)
  return engine
}
