import type { TextEncoding } from '../../text/decode.ts'
import { openText, type TextSource } from '../../text/source.ts'

/** The beginning of a file's text in UTF-8, and blocks of complete lines from the rest of it. */
export type Blocks = { head: Buffer; isWhole: boolean; encoding: TextEncoding; others: string[] }

const HEAD_BYTES = 4 * 1024 * 1024
const MAX_BLOCKS = 40
const BLOCK_BYTES = 64 * 1024
const [LF, CR] = [10, 13]

/** The complete lines of a block that starts and ends anywhere. */
const wholeLines = (chunk: Buffer): string => {
  const start = chunk.indexOf(LF) + 1
  const part = chunk.subarray(start, start + BLOCK_BYTES)
  return start === 0 ? '' : part.toString('utf8', 0, part.lastIndexOf(LF) + 1)
}

const readStart = async (chunks: TextSource['chunks']): Promise<{ head: Buffer; isWhole: boolean }> => {
  const parts: Buffer[] = []
  for (let bytes = 0; bytes < HEAD_BYTES; bytes += parts.at(-1)!.length) {
    const { value } = await chunks.next()
    if (!value) return { head: Buffer.concat(parts), isWhole: true }
    parts.push(Buffer.from(value))
  }
  return { head: Buffer.concat(parts), isWhole: false }
}

/** Blocks spread evenly over the rest of the text, whose length is unknown. */
const takeBlocks = async (chunks: TextSource['chunks'], signal?: AbortSignal): Promise<string[]> => {
  let blocks: string[] = []
  let [every, position] = [1, 0]
  for await (const chunk of chunks) {
    signal?.throwIfAborted()
    if (position % every === 0) blocks.push(wholeLines(chunk))
    position += 1
    if (blocks.length <= MAX_BLOCKS) continue
    blocks = blocks.filter((_, place) => place % 2 === 0)
    every *= 2
  }
  return blocks.filter((block) => block !== '')
}

type BlockOptions = { name: string; encoding?: TextEncoding | undefined; signal?: AbortSignal | undefined }

/**
 * The beginning of a text file, decompressed by its extension, and unless that `isEnough`, blocks of neighbouring lines
 * from all of it. INVALID_PARAMS if it is corrupt.
 */
export const readBlocks = async (path: string, options: BlockOptions, isEnough = false): Promise<Blocks> => {
  const { chunks, encoding, close } = await openText(path, options)
  try {
    const start = await readStart(chunks)
    // Without a line feed CR ends lines.
    if (!start.head.includes(LF)) for (const [at, byte] of start.head.entries()) if (byte === CR) start.head[at] = LF
    const others = isEnough || start.isWhole ? [] : await takeBlocks(chunks, options.signal)
    return { ...start, encoding, others }
  } finally {
    await close()
  }
}
