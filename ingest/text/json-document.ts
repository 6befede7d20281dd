import { isUtf8 } from 'node:buffer'
import { EngineError } from '../../engine/index.ts'
import { MAX_DOCUMENT_BYTES } from './limits.ts'
import { openText } from './source.ts'
import type { TextOptions } from './types.ts'

/** Numbers that may have more digits, or a larger exponent, than a double keeps. */
const LONG_NUMBER = /-?\d[\d.eE+-]{15,}|-?\d[\d.]*[eE][+-]?\d+/g

/** Where the string that opens before `from` is closed. */
const endOfString = (text: string, from: number): number => {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let backslashes = 0
    while (text[at - 1 - backslashes] === '\\') backslashes++
    if (backslashes % 2 === 0) return at + 1
  }
  return text.length
}

/** Makes strings of the numbers that parsing would round: to the reader they are text either way. */
const quoteLongNumbers = (text: string): string => {
  if (text.search(LONG_NUMBER) < 0) return text
  const parts: string[] = []
  for (let at = 0; at < text.length; ) {
    const quote = text.indexOf('"', at)
    const start = quote < 0 ? text.length : quote
    parts.push(text.slice(at, start).replace(LONG_NUMBER, '"$&"'))
    at = quote < 0 ? text.length : endOfString(text, start + 1)
    parts.push(text.slice(start, at))
  }
  return parts.join('')
}

/** A file's refusal. */
export const refusal = (name: string, reason: string): EngineError =>
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
        throw refusal(
          options.name,
          `it is larger than ${MAX_DOCUMENT_BYTES >> 20} MiB, which is what a JSON document that is no array may have; ` +
            'send its records as an array, or as JSON lines (.jsonl)',
        )
    }
  } finally {
    await source.close()
  }
  const text = Buffer.concat(chunks)
  if (!isUtf8(text)) throw refusal(options.name, 'it is not UTF-8; give the encoding of the file')
  return text.toString()
}

/** Parses a document whole. INVALID_PARAMS where it is too large, or no JSON. */
export const readDocument = async (path: string, options: TextOptions): Promise<unknown> => {
  const text = await readText(path, options)
  try {
    return JSON.parse(quoteLongNumbers(text))
  } catch (error) {
    throw refusal(
      options.name,
      `it is no JSON document (${error instanceof Error ? error.message : error}); it may be truncated, ` +
        'or hold an object a line, which the name .jsonl tells',
    )
  }
}
