import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import S3rver from 's3rver'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeIceberg } from '../../ingest/iceberg/iceberg.ts'
import { type Lake, runFiles } from '../ingest/feeds.ts'
import { asText, FEEDS, readSource, TABLES } from '../ingest/iceberg/tables.ts'
import { temporaryFolder } from '../support/given.ts'
import { type Node, PASSWORD, startNodes } from './nodes.ts'

const KEY = 'S3RVER'
let nodes: Node[]
let lake: Lake
let bucket: S3rver
let url: string

/** Puts a lake into a bucket as it is, and starts a node that may read it. */
beforeAll(async () => {
  nodes = await startNodes(1)
  lake = await runFiles(FEEDS)
  await writeIceberg(lake.lake, { address: 's3://lakes/lake' })
  bucket = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    vhostBuckets: false,
    directory: await temporaryFolder(),
    configureBuckets: [{ name: 'lakes' }],
  })
  const { port } = await bucket.run()
  url = `http://127.0.0.1:${port}/lakes/lake`
  for (const folder of ['snapshots', 'iceberg'])
    for (const file of await readdir(join(lake.lake, folder), { recursive: true, withFileTypes: true })) {
      if (!file.isFile()) continue
      const path = join(file.parentPath, file.name)
      const body = await readFile(path)
      const { status } = await fetch(path.replace(lake.lake, url), { method: 'PUT', body })
      expect(status).toBe(200)
    }
})
afterAll(async () => {
  await Promise.all((nodes ?? []).map((node) => node.remove()))
  await bucket?.close()
})

/** Rows that ClickHouse reads by the metadata of a table. */
const read = async (name: string): Promise<Record<string, unknown>[]> => {
  const sql = `SELECT * FROM icebergS3('${url}/iceberg/${name}', '${KEY}', '${KEY}')
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
