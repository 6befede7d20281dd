import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import {
  type Columns,
  FIRST_MONTH,
  INDEX_TABLES,
  type IndexTableName,
  indexPath,
  LISTING_COLUMNS,
  LISTING_TEXT,
  MAY_BE_DEAL,
} from '../../engine/index.ts'
import { type Database, query, type SqlStep, step } from '../database.ts'
import { literal } from '../feeds/sql-text.ts'
import type { IndexWriter } from './index-writer.ts'
import { type MonthSource, monthsIn } from './months.ts'

const INDEX = query(import.meta.url, 'index#index-country', z.object({ listings: z.int() }))
const PLACES = step(import.meta.url, 'index#places')
const WORDS = step(import.meta.url, 'index#words')
const POSTINGS = step(import.meta.url, 'index#postings')
const KEYS = step(import.meta.url, 'index#keys')

/** Writes the file of a table for a country, or a year of it; returns its rows by its path. */
export const writeIndexFile = async (
  snapshot: string,
  [name, country, year]: readonly [IndexTableName, country: string, year?: string],
  write: (writer: IndexWriter) => Promise<void>,
  metadata?: Map<string, string>,
): Promise<Record<string, number>> => {
  const path = indexPath(name, country, year)
  const to = join(snapshot, path)
  await mkdir(dirname(to), { recursive: true })
  // Loaded by a refresh that publishes, not by every command.
  const { IndexWriter } = await import('./index-writer.ts')
  const writer = await IndexWriter.create(to, INDEX_TABLES[name], metadata)
  try {
    await write(writer)
    await writer.end()
  } catch (cause) {
    await writer.close()
    throw cause
  }
  return { [path]: writer.rows }
}

/**
 * Writes the index of a country's listings from its files of listings and listing-months, the numbers of its listings and
 * what was read of their texts. Returns the rows of each file, by its path.
 */
export const writeIndex = async (
  database: Database,
  snapshot: string,
  country: string,
): Promise<Record<string, number>> => {
  await database.set({ partition: { country } })
  const { listings } = await database.row(INDEX)
  const file = `read_parquet(${literal(join(snapshot, `listings/country=${country}/part-0.parquet`))})`
  const rows: Record<string, number> = {}
  const ids = new Int32Array(listings)
  let read = 0
  const keepIds = (columns: Columns): void => {
    const { listing_id } = columns as { listing_id: Int32Array }
    ids.set(listing_id, read)
    read += listing_id.length
  }
  const statements: readonly (readonly [IndexTableName, string | SqlStep, ((columns: Columns) => void)?])[] = [
    ['listing_columns', `SELECT ${LISTING_COLUMNS} FROM ${file}`, keepIds],
    ['listing_texts', `SELECT ${LISTING_TEXT} AS texts FROM ${file}`],
    ['listing_deals', `SELECT ${LISTING_COLUMNS} FROM ${file} WHERE ${MAY_BE_DEAL}`],
    ['search_places', PLACES],
    ['search_words', WORDS],
    ['search_postings', POSTINGS],
    ['search_keys', KEYS],
  ]
  for (const [name, sql, see] of statements) {
    const written = await writeIndexFile(snapshot, [name, country], async (writer) => {
      for await (const piece of database.columns(sql)) {
        see?.(piece.columns)
        await writer.add(piece.columns, piece.rows)
      }
    })
    Object.assign(rows, written)
  }
  const source: MonthSource = { database, snapshot, country }
  const { first, batches } = await monthsIn(source, ids)
  const writeMonths = async (writer: IndexWriter): Promise<void> => {
    for await (const month of batches()) {
      await writer.add(month, listings)
      await writer.endBatch()
    }
  }
  const metadata = new Map([[FIRST_MONTH, String(first)]])
  return { ...rows, ...(await writeIndexFile(snapshot, ['month_columns', country], writeMonths, metadata)) }
}
