import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeIceberg } from '../../ingest/iceberg/iceberg.ts'
import { type Lake, runFiles } from '../ingest/feeds.ts'
import { asText, FEEDS, readSource, TABLES } from '../ingest/iceberg/tables.ts'
import { type ObjectStore, startObjectStore } from '../support/object-store.ts'
import { type Node, PASSWORD, startNodes } from './nodes.ts'

let nodes: Node[]
let lake: Lake
let objects: ObjectStore
let url: string

/** Copies a lake into a bucket as it is, and starts a node that may read it. */
beforeAll(async () => {
  nodes = await startNodes(1)
  lake = await runFiles(FEEDS)
  await writeIceberg(lake.lake, { address: 's3://lakes/lake' })
  objects = await startObjectStore()
  await cp(lake.lake, join(objects.folder, 'lake'), { recursive: true })
  url = `${objects.environment.AWS_ENDPOINT_URL}/lakes/lake`
})
afterAll(() => Promise.all((nodes ?? []).map((node) => node.remove())))

/** Rows that ClickHouse reads by the metadata of a table. */
const read = async (name: string): Promise<Record<string, unknown>[]> => {
  const { AWS_ACCESS_KEY_ID: key, AWS_SECRET_ACCESS_KEY: secret } = objects.environment
  const sql = `SELECT * FROM icebergS3('${url}/iceberg/${name}', '${key}', '${secret}')
    SETTINGS output_format_json_quote_64bit_integers = 1 FORMAT JSONEachRow`
  const headers = { 'x-clickhouse-user': 'writer', 'x-clickhouse-key': PASSWORD }
  const response = await fetch(`http://${nodes[0]!.host}`, { method: 'POST', headers, body: sql })
  const text = await response.text()
  expect(response.status, text).toBe(200)
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

test.each(TABLES)('ClickHouse finds in %s the columns and rows that DuckDB reads', async (name) => {
  const { columns, rows } = await readSource(lake, name)
  const found = await read(name)
  expect(asText(found)).toEqual(asText(rows))
  for (const row of found) expect(Object.keys(row)).toEqual(columns)
})
