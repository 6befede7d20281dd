import { type AvroField, type AvroType, type AvroValue, avroFile } from './avro.ts'
import type { IcebergField } from './schema.ts'

/** A column by which the files of a table are divided; its values are those of a column of the table. */
export type PartitionField = { 'source-id': number; 'field-id': number; name: string; transform: 'identity' }

/** A file of a table: its address, the values of its partition in order, and figures of its columns by their ids. */
export type DataFile = {
  address: string
  bytes: number
  rows: number
  partition: Readonly<Record<string, string>>
  columns: readonly {
    id: number
    bytes: number
    values: number
    nulls: number | null
    lower: Buffer | null
    upper: Buffer | null
  }[]
}

const field = (id: number, name: string, type: AvroType): AvroField => ({ name, type, 'field-id': id })
const optional = (id: number, name: string, type: AvroType): AvroField => ({
  ...field(id, name, ['null', type]),
  default: null,
})

/** A map by id of columns, which Avro has as a list of pairs. */
const byColumn = (id: number, name: string, key: number, value: number, type: AvroType): AvroField =>
  optional(id, name, {
    type: 'array',
    logicalType: 'map',
    items: {
      type: 'record',
      name: `k${key}_v${value}`,
      fields: [field(key, 'key', 'int'), field(value, 'value', type)],
    },
  })

// The ids are those of the Iceberg specification.
const entryType = (partition: readonly PartitionField[]): AvroType => ({
  type: 'record',
  name: 'manifest_entry',
  fields: [
    field(0, 'status', 'int'),
    optional(1, 'snapshot_id', 'long'),
    optional(3, 'sequence_number', 'long'),
    optional(4, 'file_sequence_number', 'long'),
    field(2, 'data_file', {
      type: 'record',
      name: 'r2',
      fields: [
        field(134, 'content', 'int'),
        field(100, 'file_path', 'string'),
        field(101, 'file_format', 'string'),
        field(102, 'partition', {
          type: 'record',
          name: 'r102',
          fields: partition.map(({ 'field-id': id, name }) => optional(id, name, 'string')),
        }),
        field(103, 'record_count', 'long'),
        field(104, 'file_size_in_bytes', 'long'),
        byColumn(108, 'column_sizes', 117, 118, 'long'),
        byColumn(109, 'value_counts', 119, 120, 'long'),
        byColumn(110, 'null_value_counts', 121, 122, 'long'),
        byColumn(125, 'lower_bounds', 126, 127, 'bytes'),
        byColumn(128, 'upper_bounds', 129, 130, 'bytes'),
      ],
    }),
  ],
})

const MANIFEST_TYPE: AvroType = {
  type: 'record',
  name: 'manifest_file',
  fields: [
    field(500, 'manifest_path', 'string'),
    field(501, 'manifest_length', 'long'),
    field(502, 'partition_spec_id', 'int'),
    field(517, 'content', 'int'),
    field(515, 'sequence_number', 'long'),
    field(516, 'min_sequence_number', 'long'),
    field(503, 'added_snapshot_id', 'long'),
    field(504, 'added_files_count', 'int'),
    field(505, 'existing_files_count', 'int'),
    field(506, 'deleted_files_count', 'int'),
    field(512, 'added_rows_count', 'long'),
    field(513, 'existing_rows_count', 'long'),
    field(514, 'deleted_rows_count', 'long'),
  ],
}

const ADDED = 1
const DATA = 0
/** Every table has one partition spec and one schema. */
export const ONLY_ID = 0

const dataFile = ({ address, bytes, rows, partition, columns }: DataFile): AvroValue => {
  const map = (read: (column: DataFile['columns'][number]) => number | Buffer | null): AvroValue =>
    columns.flatMap((column) => {
      const value = read(column)
      return value === null ? [] : [{ key: column.id, value }]
    })
  return {
    content: DATA,
    file_path: address,
    file_format: 'PARQUET',
    partition,
    record_count: rows,
    file_size_in_bytes: bytes,
    column_sizes: map((column) => column.bytes),
    value_counts: map((column) => column.values),
    null_value_counts: map((column) => column.nulls),
    lower_bounds: map((column) => column.lower),
    upper_bounds: map((column) => column.upper),
  }
}

/** What a manifest belongs to: the table's columns and partition, the Iceberg snapshot and its number in sequence. */
export type ManifestOf = {
  fields: readonly IcebergField[]
  partition: readonly PartitionField[]
  snapshot: number
  sequence: number
}

/** The manifest of a table: its files. */
export const manifestFile = (
  { fields, partition, snapshot, sequence }: ManifestOf,
  files: readonly DataFile[],
): Buffer =>
  avroFile(
    entryType(partition),
    {
      schema: JSON.stringify({ type: 'struct', 'schema-id': ONLY_ID, fields }),
      'schema-id': String(ONLY_ID),
      'partition-spec': JSON.stringify(partition),
      'partition-spec-id': String(ONLY_ID),
      'format-version': '2',
      content: 'data',
    },
    files.map((file) => ({
      status: ADDED,
      snapshot_id: snapshot,
      sequence_number: sequence,
      file_sequence_number: sequence,
      data_file: dataFile(file),
    })),
  )

/** The list of the one manifest of a table, of so many bytes at an address. */
export const manifestList = (
  { snapshot, sequence }: ManifestOf,
  { address, bytes }: { address: string; bytes: number },
  files: readonly DataFile[],
): Buffer =>
  avroFile(
    MANIFEST_TYPE,
    {
      'snapshot-id': String(snapshot),
      'parent-snapshot-id': 'null',
      'sequence-number': String(sequence),
      'format-version': '2',
    },
    [
      {
        manifest_path: address,
        manifest_length: bytes,
        partition_spec_id: ONLY_ID,
        content: DATA,
        sequence_number: sequence,
        min_sequence_number: sequence,
        added_snapshot_id: snapshot,
        added_files_count: files.length,
        existing_files_count: 0,
        deleted_files_count: 0,
        added_rows_count: files.reduce((sum, { rows }) => sum + rows, 0),
        existing_rows_count: 0,
        deleted_rows_count: 0,
      },
    ],
  )
