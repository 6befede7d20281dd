// Makes a lake of sample feeds for `npm start`, which starts this while it loads itself, and then sends the lake's folder.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeSample } from '../dist/data/sample/sample.js'
import { runCommand } from '../dist/ingest/cli/commands.js'
import { failureOf } from '../dist/ingest/cli/failure.js'

/** Enough for every query to have an answer: about 65,000 observations of 13 months. */
const SAMPLE = { listings: 1200, format: 'parquet' }

/** The feeds are not kept, so that an interrupted start does not affect the next. */
const makeLake = async (lake) => {
  const feeds = mkdtempSync(join(tmpdir(), 'shelfmark-feeds-'))
  process.once('exit', () => rmSync(feeds, { recursive: true, force: true }))
  await writeSample({ out: feeds, ...SAMPLE })
  const { text, isRefused } = await runCommand({ feeds }, lake, [], process.env)
  if (!isRefused) return
  console.error(text)
  process.exitCode = 1
}

// Also when the service ends before, or needs no lake.
process.once('disconnect', () => process.exit())
process.once('message', async (lake) => {
  try {
    await makeLake(lake)
  } catch (cause) {
    const { output, code } = failureOf(cause)
    console.error(output)
    process.exitCode = code
  }
  process.disconnect()
})
