import { Decompress } from 'fzstd'

const MAGIC = 0xfd2fb528
const SKIPPABLE = 0x184d2a50
const RAW_LENGTH = 1

/** Reads given numbers of bytes from a stream. */
const createByteReader = (chunks: AsyncIterator<Buffer>) => {
  let rest: Buffer = Buffer.alloc(0)
  const more = async (): Promise<boolean> => {
    const { value, done } = await chunks.next()
    // The chunk's memory is used again for the next one.
    if (!done) rest = Buffer.concat([rest, value])
    return !done
  }
  return {
    isAtEnd: async (): Promise<boolean> => {
      while (rest.length === 0) if (!(await more())) return true
      return false
    },
    take: async (count: number): Promise<Buffer> => {
      while (rest.length < count) if (!(await more())) throw new Error('unexpected end of file')
      const taken = rest.subarray(0, count)
      rest = rest.subarray(count)
      return taken
    },
  }
}

type ByteReader = ReturnType<typeof createByteReader>

/**
 * A frame's header after its magic number (RFC 8878, 3.1.1.1): its bytes, whether a checksum ends it, its text's size.
 */
const takeFrameHeader = async ({ take }: ByteReader) => {
  const descriptor = (await take(1))[0]!
  const isSingle = (descriptor & 0x20) !== 0
  const dictionary = [0, 1, 2, 4][descriptor & 3]!
  const width = [isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6]!
  const before = (isSingle ? 0 : 1) + dictionary
  const fields = await take(before + width)
  const declared_size =
    width === 8 ? Number(fields.readBigUInt64LE(before)) : width > 0 ? fields.readUIntLE(before, width) : null
  const size = declared_size === null ? null : declared_size + (width === 2 ? 256 : 0)
  return { bytes: Buffer.concat([Buffer.of(descriptor), fields]), hasChecksum: (descriptor & 4) !== 0, size }
}

const decompressFrame = async function* (reader: ByteReader, magic: Buffer): AsyncGenerator<Buffer, void> {
  const header = await takeFrameHeader(reader)
  let blocks: Buffer[] = []
  let size = 0
  const decompress = new Decompress((block) => {
    if (block.length > 0) blocks.push(Buffer.from(block))
    size += block.length
  })
  decompress.push(Buffer.concat([magic, header.bytes]))
  for (let isLast = false; !isLast; ) {
    const start = await reader.take(3)
    const word = start.readUIntLE(0, 3)
    isLast = (word & 1) === 1
    const content = await reader.take(((word >> 1) & 3) === RAW_LENGTH ? 1 : word >> 3)
    const checksum = isLast && header.hasChecksum ? await reader.take(4) : Buffer.alloc(0)
    decompress.push(Buffer.concat([start, content, checksum]), isLast)
    yield* blocks
    blocks = []
  }
  if (header.size !== null && header.size !== size)
    throw new Error(`a frame declares ${header.size} bytes, but has ${size}`)
}

/**
 * The text of a file of Zstandard frames. Frames are parsed here and decompressed one by one, so that a file which ends
 * within one is an error; checksums are not compared. Throws if the bytes are not complete frames.
 */
export const decompressZstd = async function* (chunks: AsyncGenerator<Buffer, void>): AsyncGenerator<Buffer, void> {
  const reader = createByteReader(chunks)
  try {
    do {
      const magic = await reader.take(4)
      const number = magic.readUInt32LE(0)
      if ((number & 0xfffffff0) >>> 0 === SKIPPABLE) await reader.take((await reader.take(4)).readUInt32LE(0))
      else if (number === MAGIC) yield* decompressFrame(reader, magic)
      else throw new Error('these bytes are not a Zstandard frame')
    } while (!(await reader.isAtEnd()))
  } finally {
    await chunks.return()
  }
}
