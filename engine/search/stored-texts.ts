import type { Texts } from '../duckdb/texts.ts'
import { LISTING_TEXTS, type Reader } from './listings.ts'
import type { TemporaryFiles } from './temporary/temporary-files.ts'

/** Texts in a block: about 6 KB of listings. */
const PER_BLOCK = 32

/** A block has the end of each text among the bytes after them, then the bytes. */
const encode = (texts: readonly string[]): Uint8Array => {
  const ends = new Uint32Array(texts.length + 1)
  ends[0] = texts.length
  const bytes = Buffer.from(texts.join(''))
  let end = 0
  for (const [position, text] of texts.entries()) {
    end += Buffer.byteLength(text)
    ends[position + 1] = end
  }
  return Buffer.concat([new Uint8Array(ends.buffer), bytes])
}

const decode = (block: ArrayBuffer): Texts => {
  const [count = 0] = new Uint32Array(block, 0, 1)
  const ends = new Uint32Array(block, 0, count + 1)
  const bytes = Buffer.from(block, ends.byteLength)
  return {
    at(position) {
      const end = ends[position + 1]
      if (end === undefined) throw new RangeError(`there is no text ${position}`)
      return bytes.toString('utf8', position === 0 ? 0 : ends[position], end)
    },
  }
}

/** Writes the texts of a country's listings to a temporary file. */
export const storeListingTexts = async (reader: Reader, country: string, temporary: TemporaryFiles): Promise<Texts> => {
  const file = await temporary.make(async (writer) => {
    let batch: string[] = []
    await reader.each(LISTING_TEXTS, { country }, async ({ texts }) => {
      for (const text of texts as string[]) {
        batch.push(text)
        if (batch.length < PER_BLOCK) continue
        await writer.append(encode(batch))
        batch = []
      }
    })
    if (batch.length > 0) await writer.append(encode(batch))
  }, decode)
  return { at: (position) => file.get(Math.floor(position / PER_BLOCK)).at(position % PER_BLOCK) }
}
