import { commandLine } from '../../engine/index.ts'
import type { Transfer } from '../snapshot/transfer.ts'
import { escaped, formatCount } from './table.ts'

const size = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`

/** What a backup or a restore did. */
export const renderTransfer = ({ to, copied, present, refused, serves, warnings }: Transfer): string =>
  [
    ...copied.map(
      ({ snapshot_id, files, bytes }) => `copied ${snapshot_id}: ${formatCount(files)} files, ${size(bytes)}`,
    ),
    ...present.map((id) => `${id} is there and sound`),
    ...refused.map(({ snapshot_id, problem }) => escaped(`${snapshot_id} is not copied: ${problem}`)),
    ...warnings.map(escaped),
    `${to} serves ${serves ?? 'nothing'}; check it: ${commandLine('refresh', `verify --lake ${to}`)}`,
  ].join('\n')
