import { commandLine } from '../../engine/index.ts'
import type { TransferReport } from '../snapshot/transfer.ts'
import { escaped, formatCount } from './table.ts'

const size = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`

/** The result of a backup or a restore. */
export const renderTransfer = ({ to, copied, present, refused, serves, warnings }: TransferReport): string =>
  [
    ...copied.map(
      ({ snapshot_id, files, bytes }) => `copied ${snapshot_id}: ${formatCount(files)} files, ${size(bytes)}`,
    ),
    ...present.map((id) => `${id} is present and intact`),
    ...refused.map(({ snapshot_id, problem }) => escaped(`${snapshot_id} is not copied: ${problem}`)),
    ...warnings.map(escaped),
    `${to} serves ${serves ?? 'nothing'}; check it: ${commandLine('refresh', `verify --lake ${to}`)}`,
  ].join('\n')
