import { close, readSync, write } from 'node:fs'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import { EngineError } from '../../contract/errors.ts'
import { codeOf } from '../../lake/lake-error.ts'
import type { BlockCache } from './block-cache.ts'
import { createGrowing } from './growing.ts'

/** What is written at a time. */
const WRITE_BYTES = 1 << 20
/** Above the number of blocks of any file, so that a file and a block are one number. */
const BLOCKS = 2 ** 32

const writeTo = promisify(write)

/** What all files of a folder share. */
export type BlockFiles = {
  /** Names the folder in messages, and how to choose another. */
  where: string
  cache: BlockCache
  /** Called when a block is found damaged, before the refusal is thrown. */
  onDamage(): void
}

/** Where the blocks of a file begin, the end of the last one, and the checksum of each. */
type BlockTable = { offsets: Float64Array; checksums: Uint32Array }

/** A sealed file of blocks, read one by one; `T` is what a block is decoded to. */
export class BlockFile<T> {
  readonly count: number
  readonly #fd: number
  readonly #number: number
  readonly #table: BlockTable
  readonly #decode: (bytes: ArrayBuffer) => T
  readonly #files: BlockFiles
  #isClosed = false

  constructor(fd: number, number: number, table: BlockTable, decode: (bytes: ArrayBuffer) => T, files: BlockFiles) {
    this.count = table.checksums.length
    this.#fd = fd
    this.#number = number
    this.#table = table
    this.#decode = decode
    this.#files = files
  }

  /** A block, from the cache if possible. Throws EngineError NOT_READY if it is not what was written. */
  get(index: number): T {
    const key = this.#number * BLOCKS + index
    const cached = this.#files.cache.get(key)
    if (cached !== undefined) return cached as T
    const bytes = this.#read(index)
    const block = this.#decode(bytes)
    this.#files.cache.set(key, { block, bytes: bytes.byteLength })
    return block
  }

  /** A block that is not kept in the cache, as when many are read in turn. */
  scan(index: number): T {
    return this.#decode(this.#read(index))
  }

  #read(index: number): ArrayBuffer {
    if (this.#isClosed) throw new EngineError('NOT_READY', 'The snapshot is closed.')
    const { offsets, checksums } = this.#table
    const [begin, end] = [offsets[index]!, offsets[index + 1]!]
    const bytes = new Uint8Array(end - begin)
    let problem: string | null = null
    try {
      const read = readSync(this.#fd, bytes, 0, bytes.length, begin)
      if (read < bytes.length) problem = 'it ends early'
      else if (crc32(bytes) !== checksums[index]) problem = 'its checksum is wrong'
    } catch (cause) {
      problem = codeOf(cause)
    }
    if (problem === null) return bytes.buffer
    this.#files.onDamage()
    throw new EngineError(
      'NOT_READY',
      `A temporary file in ${this.#files.where} cannot be read (${problem}); it is made again. Retry later.`,
    )
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    // Freeing gigabytes of a file without a name takes long; its number is not used again before.
    close(this.#fd, () => undefined)
  }
}

/** Writes a file block by block. */
export class BlockWriter {
  readonly #fd: number
  readonly #files: BlockFiles
  readonly #offsets = createGrowing((length) => new Float64Array(length))
  readonly #checksums = createGrowing((length) => new Uint32Array(length))
  #pending: Uint8Array[] = []
  #pending_bytes = 0
  #bytes = 0

  constructor(fd: number, files: BlockFiles) {
    this.#fd = fd
    this.#files = files
    this.#offsets.push(0)
  }

  /** Appends a block, which must not be changed afterwards. */
  async append(block: Uint8Array): Promise<void> {
    this.#bytes += block.length
    this.#offsets.push(this.#bytes)
    this.#checksums.push(crc32(block))
    this.#pending.push(block)
    this.#pending_bytes += block.length
    if (this.#pending_bytes >= WRITE_BYTES) await this.#flush()
  }

  async #flush(): Promise<void> {
    const pending = Buffer.concat(this.#pending)
    this.#pending = []
    this.#pending_bytes = 0
    for (let written = 0; written < pending.length; ) written += await this.#write(pending.subarray(written))
  }

  async #write(bytes: Uint8Array): Promise<number> {
    try {
      const { bytesWritten } = await writeTo(this.#fd, bytes)
      return bytesWritten
    } catch (cause) {
      throw new EngineError('NOT_READY', `Cannot write to ${this.#files.where}: ${codeOf(cause)}.`)
    }
  }

  /** The file for reading. Nothing may be appended any more. */
  async seal<T>(number: number, decode: (bytes: ArrayBuffer) => T): Promise<BlockFile<T>> {
    await this.#flush()
    const table = { offsets: this.#offsets.end(), checksums: this.#checksums.end() }
    return new BlockFile(this.#fd, number, table, decode, this.#files)
  }
}
