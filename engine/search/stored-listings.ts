import {
  CURRENT_LAYOUT,
  type CurrentColumns,
  LISTING_COLUMNS,
  LISTING_LAYOUT,
  type Listings,
  type ListingTable,
  type Reader,
  type ShelfColumns,
} from './listings.ts'
import { lowerBound } from './lower-bound.ts'
import { columnsIn, createBatches } from './temporary/columns.ts'
import type { TemporaryFiles } from './temporary/temporary-files.ts'

/** Listings in a block: few, since most of them are read one by one. */
const PER_BLOCK = 128
/** Deals are read in turn. */
const DEALS_PER_BLOCK = 2048

const DEALS = `${LISTING_COLUMNS} AND in_stock AND list_price > price`

// Ids that are less than 32,768 take half the memory.
const COUNT = `SELECT count(*)::INTEGER AS listings, coalesce(max(category_id), 0)::INTEGER AS category_id,
    coalesce(max(retailer_id), 0)::INTEGER AS retailer_id, coalesce(max(gpc_id), 0)::INTEGER AS gpc_id
  FROM listing WHERE country = $country::VARCHAR`

type Greatest = { [Name in 'listings' | 'category_id' | 'retailer_id' | 'gpc_id']: Int32Array }

const columnFor = (length: number, max: Int32Array) =>
  max[0]! < 2 ** 15 ? new Int16Array(length) : new Int32Array(length)

const emptyColumns = async (reader: Reader, country: string): Promise<ShelfColumns> => {
  const { listings, ...max } = (await reader.columns(COUNT, { country })) as Greatest
  const length = listings[0]!
  return {
    category_id: columnFor(length, max.category_id),
    retailer_id: columnFor(length, max.retailer_id),
    gpc_id: columnFor(length, max.gpc_id),
    accessory_depth: new Uint8Array(length),
  }
}

/** Writes the listings, and fills the columns that stay in memory. */
const storeRows = (reader: Reader, country: string, temporary: TemporaryFiles, columns: ShelfColumns) =>
  temporary.make(async (file) => {
    const batches = createBatches(LISTING_LAYOUT, PER_BLOCK, (block) => file.append(block))
    let read = 0
    await reader.each(LISTING_COLUMNS, { country }, async (piece, rows) => {
      const listings = piece as Listings
      columns.category_id.set(listings.category_id, read)
      columns.retailer_id.set(listings.retailer_id, read)
      columns.gpc_id.set(listings.gpc_id, read)
      columns.accessory_depth.set(listings.accessory_depth, read)
      read += rows
      await batches.add(listings, rows)
    })
    await batches.end()
  }, columnsIn(LISTING_LAYOUT))

/** Writes the listings that may be deals; `first_categories` is filled with the first category of each block. */
const storeDeals = (reader: Reader, country: string, temporary: TemporaryFiles, first_categories: number[]) =>
  temporary.make(async (file) => {
    const batches = createBatches(CURRENT_LAYOUT, DEALS_PER_BLOCK, (block, { category_id }) => {
      first_categories.push(category_id[0]!)
      return file.append(block)
    })
    await reader.each(DEALS, { country }, (piece, rows) => batches.add(piece as CurrentColumns, rows))
    await batches.end()
  }, columnsIn(CURRENT_LAYOUT))

/** Writes the columns of a country's listings to temporary files. */
export const storeListings = async (
  reader: Reader,
  country: string,
  temporary: TemporaryFiles,
): Promise<ListingTable> => {
  const columns = await emptyColumns(reader, country)
  const rows = await storeRows(reader, country, temporary, columns)
  const first_categories: number[] = []
  const deals = await storeDeals(reader, country, temporary, first_categories)
  return {
    columns,
    in_memory: null,
    at: (row) => ({ listings: rows.get(Math.floor(row / PER_BLOCK)), position: row % PER_BLOCK }),
    *slices(begin, end) {
      for (let row = begin; row < end; ) {
        const block = Math.floor(row / PER_BLOCK)
        const next = Math.min(end, (block + 1) * PER_BLOCK)
        yield { listings: rows.scan(block), begin: row % PER_BLOCK, end: next - block * PER_BLOCK }
        row = next
      }
    },
    *discounted(first, last) {
      // The block before the first that begins with the category may end with it.
      const begin = Math.max(0, lowerBound(first_categories, first) - 1)
      for (let block = begin; block < deals.count && first_categories[block]! <= last; block += 1)
        yield deals.scan(block)
    },
  }
}
