import { isUtf8 } from 'node:buffer'
import { EngineError } from '../../engine/index.ts'
import { MAX_DOCUMENT_BYTES } from './limits.ts'
import { openText } from './source.ts'
import type { TextOptions } from './types.ts'

/** Numbers that may have more digits, or a larger exponent, than a double keeps, what Python writes for none, and byte order marks. */
const SPECIAL = /\uFEFF|-?\d[\d.eE+-]{15,}|-?\d[\d.]*[eE][+-]?\d+|-?Infinity|NaN/g

const readable = (special: string): string => {
  if (special === '\uFEFF') return ''
  return /\d/.test(special) ? `"${special}"` : 'null'
}

/** The end of the string that opens before `from`. */
const endOfString = (text: string, from: number): number => {
  for (let position = text.indexOf('"', from); position >= 0; position = text.indexOf('"', position + 1)) {
    let backslashes = 0
    while (text[position - 1 - backslashes] === '\\') backslashes++
    if (backslashes % 2 === 0) return position + 1
  }
  return text.length
}

/** Quotes the numbers that parsing would round, which the reader reads as text anyway, and makes `NaN` null. */
const withoutSpecials = (text: string): string => {
  if (text.search(SPECIAL) < 0) return text
  const parts: string[] = []
  for (let position = 0; position < text.length; ) {
    const quote = text.indexOf('"', position)
    const start = quote < 0 ? text.length : quote
    parts.push(text.slice(position, start).replace(SPECIAL, readable))
    position = quote < 0 ? text.length : endOfString(text, start + 1)
    parts.push(text.slice(start, position))
  }
  return parts.join('')
}

/** Parses JSON with numbers of any length, and `NaN`. Throws a SyntaxError for other texts. */
export const parseJson = (text: string): unknown => JSON.parse(withoutSpecials(text))

/** The error for a file that cannot be read. */
export const documentError = (name: string, reason: string): EngineError =>
  new EngineError('INVALID_PARAMS', `${name}: ${reason}`, { file: name })

const readText = async (path: string, options: TextOptions): Promise<string> => {
  const source = await openText(path, options)
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of source.chunks) {
      chunks.push(Buffer.from(chunk))
      bytes += chunk.length
      if (bytes > MAX_DOCUMENT_BYTES)
        throw documentError(
          options.name,
          `it is larger than ${MAX_DOCUMENT_BYTES >> 20} MiB, the maximum of a JSON document that is not an array; ` +
            'write its records as an array, or as JSON lines (.jsonl)',
        )
    }
  } finally {
    await source.close()
  }
  const text = Buffer.concat(chunks)
  if (!isUtf8(text)) throw documentError(options.name, 'it is not UTF-8; add the encoding of the file to its mapping')
  return text.toString()
}

/** Parses a whole document. INVALID_PARAMS if it is too large or not JSON. */
export const readDocument = async (path: string, options: TextOptions): Promise<unknown> => {
  const text = await readText(path, options)
  try {
    return parseJson(text)
  } catch (error) {
    throw documentError(
      options.name,
      `it is not a JSON document (${error instanceof Error ? error.message : error}); it may be truncated, ` +
        'or have one object per line: then rename it to end in .jsonl',
    )
  }
}
