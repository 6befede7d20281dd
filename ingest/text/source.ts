import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { EngineError } from '../../engine/index.ts'
import { chooseDecoder, type Decode, MARK_BYTES, type TextEncoding } from './decode.ts'
import { CHUNK_BYTES } from './limits.ts'
import type { TextOptions } from './types.ts'
import { decompressZstd } from './zstd.ts'

type Chunks = AsyncGenerator<Buffer, void>

/** A file's text in UTF-8. A chunk is valid until the next one is read. */
export type TextSource = {
  chunks: Chunks
  encoding: TextEncoding
  /** The length of the byte order mark, which is not in the chunks. */
  mark: number
  /** Whether the chunks are the file's own bytes. */
  isPlain: boolean
  close(): Promise<void>
}

/** The bytes of a file from `start` up to `end`. */
export const readBytes = async function* (path: string, chunk_bytes: number, start = 0, end = Infinity): Chunks {
  const file = await open(path)
  try {
    const buffer = Buffer.allocUnsafeSlow(chunk_bytes)
    for (let position = start; position < end; ) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(chunk_bytes, end - position), position)
      if (bytesRead === 0) return
      position += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}

const gunzip = async function* (path: string, chunk_bytes: number): Chunks {
  const stream = createGunzip({ chunkSize: Math.max(chunk_bytes, 1024) })
  // An error ends the iteration below as well.
  pipeline(createReadStream(path, { highWaterMark: chunk_bytes }), stream, () => undefined)
  yield* stream
  // A file may be padded with zeros after its last member: zlib stops there and ignores what follows.
  for await (const bytes of readBytes(path, chunk_bytes, stream.bytesWritten))
    if (bytes.some((byte) => byte !== 0)) throw new Error('bytes follow the zeros after its last member')
}

const decompress = (path: string, chunk_bytes: number): Chunks => {
  if (/\.gz$/i.test(path)) return gunzip(path, chunk_bytes)
  if (/\.zst$/i.test(path)) return decompressZstd(readBytes(path, chunk_bytes))
  return readBytes(path, chunk_bytes)
}

const decodeAll = async function* (chunks: Chunks, decode: Decode): Chunks {
  for await (const chunk of chunks) yield decode(chunk, false)
  yield decode(Buffer.alloc(0), true)
}

/** A file's first bytes, enough to find a byte order mark. */
const takeStart = async (chunks: Chunks): Promise<Buffer> => {
  let start = Buffer.alloc(0)
  while (start.length < MARK_BYTES) {
    const { value } = await chunks.next()
    if (!value) break
    start = Buffer.concat([start, value])
  }
  return start
}

const startingWith = async function* (start: Buffer, chunks: Chunks): Chunks {
  yield start
  yield* chunks
}

const withName = async function* (chunks: Chunks, name: string, signal?: AbortSignal): Chunks {
  try {
    for await (const chunk of chunks) {
      if (signal?.aborted) break
      yield chunk
    }
  } catch (error) {
    if (!(error instanceof Error) || (error as NodeJS.ErrnoException).syscall !== undefined) throw error
    const message = `${name} cannot be decompressed (${error.message}): it is truncated or corrupt; fetch it again`
    throw new EngineError('INVALID_PARAMS', message, { file: name })
  }
  signal?.throwIfAborted()
}

/**
 * Opens a file, decompressed by its extension (.gz, .zst) and decoded. INVALID_PARAMS, here or during reading, if it is
 * truncated or corrupt.
 */
export const openText = async (
  path: string,
  {
    name,
    encoding: default_encoding,
    signal,
    chunk_bytes = CHUNK_BYTES,
  }: Pick<TextOptions, 'name' | 'encoding' | 'signal' | 'chunk_bytes'>,
): Promise<TextSource> => {
  const bytes = withName(decompress(path, chunk_bytes), name, signal)
  const start = await takeStart(bytes)
  const { encoding, mark, decode } = chooseDecoder(start, default_encoding)
  const text = startingWith(start.subarray(mark), bytes)
  return {
    chunks: decode ? decodeAll(text, decode) : text,
    encoding,
    mark,
    isPlain: !/\.(?:gz|zst)$/i.test(path) && decode === null,
    close: async () => {
      await bytes.return()
    },
  }
}
