import { commandLine } from '../../engine/index.ts'
import type { LoadedNode, LoadReport } from '../cluster/load.ts'
import type { IcebergReport } from '../iceberg/iceberg.ts'
import type { FileTotals, PullReport } from '../snapshot/pull.ts'
import type { PushReport } from '../snapshot/push.ts'
import type { TransferReport } from '../snapshot/transfer.ts'
import { counted, escaped, formatCount } from './table.ts'

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

const totals = ({ files, bytes }: FileTotals): string => `${counted(files, 'file')}, ${size(bytes)}`

/** The result of a push. */
export const renderPush = ({ store, snapshot_id, previous, sent, present, warnings }: PushReport): string =>
  [
    `sent ${totals(sent)}; ${store} had ${totals(present)}`,
    ...warnings.map(escaped),
    `${store} has ${snapshot_id} (previous: ${previous ?? 'nothing'})`,
  ].join('\n')

/** The result of a pull. */
export const renderPull = ({ lake, snapshot_id, previous, warnings, removed, ...report }: PullReport): string =>
  [
    report.is_present
      ? `${snapshot_id} is present and intact`
      : `fetched ${totals(report.fetched)}; ${lake} had ${totals(report.reused)}`,
    ...(removed.length > 0 ? [`removed ${removed.join(', ')}`] : []),
    ...warnings.map(escaped),
    `${lake} serves ${snapshot_id} (previous: ${previous ?? 'nothing'})`,
  ].join('\n')

const nodeLine = ({ host, shard, of, was_loaded, rows, linked, removed }: LoadedNode): string => {
  const { observation = 0, listing = 0 } = rows
  const of_rows = `${counted(observation, 'observation')} of ${counted(listing, 'listing')}`
  return [
    `${host} ${was_loaded ? 'had' : 'got'} shard ${shard} of ${of}: ${of_rows}`,
    ...(linked > 0 ? [`${counted(linked, 'partition')} linked, not pulled`] : []),
    ...(removed.length > 0 ? [`removed ${removed.join(', ')}`] : []),
  ].join('; ')
}

/** The result of a load. */
export const renderLoad = ({ snapshot_id, nodes, away }: LoadReport): string =>
  [
    ...nodes.map(nodeLine),
    ...away.map(({ host, problem }) => escaped(`${host} is left out: ${problem} When it answers, run load again.`)),
    `${snapshot_id} is loaded: ${counted(nodes[0]!.of, 'shard')} on ${counted(nodes.length, 'node')}, verified; services with SHELFMARK_BACKEND take it`,
  ].join('\n')

/** The addresses of the Iceberg tables. */
export const renderIceberg = ({ snapshot_id, tables }: IcebergReport): string =>
  [
    ...tables.map(({ location, files, rows }) => `${location}  ${counted(files, 'file')}, ${counted(rows, 'row')}`),
    `the tables are those of ${snapshot_id}; after the next refresh, run this again`,
  ].join('\n')
