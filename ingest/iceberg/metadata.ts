import { createHash } from 'node:crypto'
import { type DataFile, type ManifestOf, ONLY_ID } from './manifest.ts'
import { lastId, nameMapping } from './schema.ts'

/** Iceberg counts the fields of partitions from here. */
export const FIRST_PARTITION_ID = 1000

/** A table in a snapshot of a lake: its address, and the name and time of the snapshot. */
export type TableVersion = ManifestOf & {
  location: string
  /** The address of the list of manifests. */
  list: string
  files: readonly DataFile[]
  snapshot_id: string
  published_at: string
}

/** A UUID that the same address always gets. */
const uuidOf = (location: string): string => {
  const hash = createHash('sha256').update(location).digest('hex')
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-')
}

/** The metadata of a table, version 2 of the format: one schema, one partition spec, one snapshot. */
export const tableMetadata = (table: TableVersion): string => {
  const { fields, partition, snapshot, sequence, location, list, files, snapshot_id, published_at } = table
  const total = (figure: 'rows' | 'bytes'): string => String(files.reduce((sum, file) => sum + file[figure], 0))
  const published_ms = Date.parse(published_at)
  return JSON.stringify(
    {
      'format-version': 2,
      'table-uuid': uuidOf(location),
      location,
      'last-sequence-number': sequence,
      'last-updated-ms': published_ms,
      'last-column-id': lastId(fields),
      'current-schema-id': ONLY_ID,
      schemas: [{ type: 'struct', 'schema-id': ONLY_ID, fields }],
      'default-spec-id': ONLY_ID,
      'partition-specs': [{ 'spec-id': ONLY_ID, fields: partition }],
      'last-partition-id': FIRST_PARTITION_ID + partition.length - 1,
      'default-sort-order-id': 0,
      'sort-orders': [{ 'order-id': 0, fields: [] }],
      properties: {
        'schema.name-mapping.default': JSON.stringify(nameMapping(fields)),
        'shelfmark.snapshot_id': snapshot_id,
      },
      'current-snapshot-id': snapshot,
      refs: { main: { 'snapshot-id': snapshot, type: 'branch' } },
      snapshots: [
        {
          'snapshot-id': snapshot,
          'sequence-number': sequence,
          'timestamp-ms': published_ms,
          'schema-id': ONLY_ID,
          'manifest-list': list,
          summary: {
            operation: 'append',
            'total-data-files': String(files.length),
            'total-records': total('rows'),
            'total-files-size': total('bytes'),
          },
        },
      ],
      'snapshot-log': [{ 'snapshot-id': snapshot, 'timestamp-ms': published_ms }],
      'metadata-log': [],
    },
    null,
    1,
  )
}
