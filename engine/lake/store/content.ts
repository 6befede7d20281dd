import { createHash } from 'node:crypto'

export type ByteChunks = AsyncIterable<Uint8Array>

/** What is put into a store: its length, its SHA-256 in hexadecimal, and its bytes, which a retry reads again. */
export type ObjectContent = { bytes: number; sha256: string; open(): ByteChunks }

/** A text as the content of an object. */
export const textContent = (text: string | Uint8Array): ObjectContent => {
  const bytes = Buffer.from(text)
  return {
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    async *open() {
      yield bytes
    },
  }
}

/**
 * Passes bytes on while their length and SHA-256 are checked, and the last ones only after that: a reader that needs all
 * of them never gets damaged ones. Throws `fail(reason)` if they differ.
 */
export async function* verified(
  chunks: ByteChunks,
  { bytes, sha256 }: Pick<ObjectContent, 'bytes' | 'sha256'>,
  fail: (reason: string) => Error,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  let size = 0
  let last: Uint8Array | undefined
  for await (const chunk of chunks) {
    hash.update(chunk)
    size += chunk.length
    if (size > bytes) throw fail(`more than ${bytes} bytes`)
    if (last) yield last
    last = chunk
  }
  if (size !== bytes) throw fail(`${size} bytes instead of ${bytes}`)
  if (hash.digest('hex') !== sha256) throw fail('SHA-256 not as published')
  if (last) yield last
}
