import { randomUUID } from 'node:crypto'
import { closeSync, openSync, statfsSync, unlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EngineError } from '../../contract/errors.ts'
import { codeOf } from '../../lake/lake-error.ts'
import { createBlockCache } from './block-cache.ts'
import { type BlockFile, BlockWriter } from './block-file.ts'

/** Memory for blocks that were read last, in bytes. */
const CACHE_BYTES = 32 * 2 ** 20

const gibibytes = (bytes: number): string => `${(bytes / 2 ** 30).toFixed(1)} GiB`

export type TemporaryOptions = {
  /** Default the system's folder for temporary files. */
  folder: string | undefined
  /** How much all files together take, about. */
  expected_bytes: number
  /** Called when a file is found damaged, before the refusal is thrown. */
  onDamage(): void
}

const nameOf = (folder: string): string => `the folder for temporary files, ${folder}`

const withFolder = <T>(folder: string, use: () => T): T => {
  try {
    return use()
  } catch (cause) {
    throw new EngineError('NOT_READY', `Cannot use ${nameOf(folder)}: ${codeOf(cause)}.`)
  }
}

/** Throws EngineError NOT_READY if a folder has not enough space for all files. */
export const requireSpace = ({
  folder = tmpdir(),
  expected_bytes,
}: Pick<TemporaryOptions, 'folder' | 'expected_bytes'>): void => {
  const { bavail, bsize } = withFolder(folder, () => statfsSync(folder))
  const free = bavail * bsize
  if (free >= expected_bytes) return
  throw new EngineError(
    'NOT_READY',
    `Listings and search index exceed the memory budget, and ${nameOf(folder)}, has ${gibibytes(free)} free of about ` +
      `${gibibytes(expected_bytes)} that they take there. Free space, choose another folder or raise the budget.`,
  )
}

/** Writes blocks with what a caller needs to find them, and returns the file. */
export type Fill = (writer: BlockWriter) => Promise<void>

/**
 * The temporary files of one snapshot. They have no names: each is removed from its folder as soon as it is open, so that
 * nothing is left behind however the process ends.
 */
export class TemporaryFiles {
  readonly #options: TemporaryOptions
  readonly #folder: string
  readonly #cache = createBlockCache(CACHE_BYTES)
  readonly #open = new Set<{ close(): void }>()
  #number = 0
  #isClosed = false

  constructor(options: TemporaryOptions) {
    this.#options = options
    this.#folder = options.folder ?? tmpdir()
  }

  get #where(): string {
    return nameOf(this.#folder)
  }

  #create(): number {
    const path = join(this.#folder, `shelfmark-${randomUUID()}`)
    return withFolder(this.#folder, () => {
      const fd = openSync(path, 'wx+', 0o600)
      unlinkSync(path)
      return fd
    })
  }

  /** Makes a file: `fill` writes its blocks, `decode` is what reading one returns. */
  async make<T>(fill: Fill, decode: (bytes: ArrayBuffer) => T): Promise<BlockFile<T>> {
    if (this.#number === 0) requireSpace(this.#options)
    const fd = this.#create()
    const writer = new BlockWriter(fd, { where: this.#where, cache: this.#cache, onDamage: this.#options.onDamage })
    try {
      await fill(writer)
      this.#number += 1
      const file = await writer.seal(this.#number, decode)
      if (this.#isClosed) throw new EngineError('NOT_READY', 'The snapshot is closed.')
      this.#open.add(file)
      return file
    } catch (cause) {
      closeSync(fd)
      throw cause
    }
  }

  /** Closes all files; what still reads them is refused with NOT_READY. */
  close(): void {
    this.#isClosed = true
    for (const file of this.#open) file.close()
    this.#open.clear()
    this.#cache.clear()
  }
}
