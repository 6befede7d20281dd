import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compiled } from '../../test/support/compiled.ts'

const LISTINGS = 40

export const refreshCommand = compiled('ingest/main.ts')

/** Feeds of a day's prices of every listing, below a folder. */
export const writeDay = async (folder: string, day: number, listings = LISTINGS): Promise<string> => {
  const feeds = join(folder, `feeds-${day}`)
  const observed_at = new Date(Date.UTC(2026, 0, 1 + day)).toISOString()
  const rows = Array.from({ length: listings }, (_, i) => ({
    platform: 'acme',
    country: 'us',
    listing_id: `l${i}`,
    observed_at,
    price: `${10 + i}.${String(day % 100).padStart(2, '0')}`,
    currency: 'USD',
    category_path: 'Grocery > Coffee',
  }))
  await mkdir(join(feeds, 'price_observations'), { recursive: true })
  await writeFile(
    join(feeds, 'price_observations', 'day.jsonl'),
    rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
  )
  return feeds
}

/** A refresh in a separate process. It accepts incomplete months, since some refreshes are killed. */
export const startRefresh = (feeds: string, lake: string) => {
  const options = ['--feeds', feeds, '--lake', lake, '--accept', 'acme']
  return spawn(process.execPath, [refreshCommand, ...options], { stdio: 'ignore' })
}

/** Refreshes a lake; the exit code. */
export const completeRefresh = async (feeds: string, lake: string): Promise<number | null> => {
  const [code] = (await once(startRefresh(feeds, lake), 'exit')) as [number | null]
  return code
}
