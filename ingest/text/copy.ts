import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { CHUNK_BYTES } from './limits.ts'
import { readBytes } from './source.ts'

/** The scanned file, whose text starts after `mark` bytes. */
type SourceText = { path: string; mark: number }

/** The text for the reader: the original file if every byte of it is kept, else a copy. */
export class Copy {
  readonly path: string
  readonly #bytes: Buffer
  readonly #original: SourceText | null
  /** Bytes of the original that the copy starts with. */
  #kept = 0
  #isNeeded: boolean
  #file: FileHandle | undefined
  #slices: Buffer[] = []
  // The last kept bytes, or the last added text: adjacent ones are joined.
  #from = 0
  #to = 0
  #text = ''

  /** `bytes` is what the arguments of `keep` refer to. Without an original, everything is copied. */
  constructor(folder: string, bytes: Buffer, original: SourceText | null) {
    this.path = join(folder, `${randomUUID()}.txt`)
    this.#bytes = bytes
    this.#original = original
    this.#isNeeded = original === null
  }

  /** Keeps a range of the text unchanged. */
  keep(from: number, to: number): void {
    if (!this.#isNeeded) this.#kept += to - from
    else if (from === this.#to && this.#text === '') this.#to = to
    else {
      this.#endSlice()
      this.#from = from
      this.#to = to
    }
  }

  /** Adds a text that replaces one that is not kept. Each character is a byte. */
  put(text: string): void {
    this.#isNeeded = true
    if (this.#to > this.#from) this.#endSlice()
    this.#text += text
  }

  /** Adds a text, which is written in UTF-8. */
  add(text: string): void {
    this.#isNeeded = true
    this.#endSlice()
    this.#slices.push(Buffer.from(text))
  }

  /** Must be called when a range of the text is not kept. */
  drop(): void {
    this.#isNeeded = true
  }

  #endSlice(): void {
    if (this.#to > this.#from) this.#slices.push(this.#bytes.subarray(this.#from, this.#to))
    if (this.#text !== '') this.#slices.push(Buffer.from(this.#text, 'latin1'))
    this.#from = this.#to = 0
    this.#text = ''
  }

  /** Writes the kept and added text. Must be called before `bytes` change. */
  async flush(): Promise<void> {
    if (!this.#isNeeded) return
    this.#endSlice()
    this.#file ??= await this.#start()
    const [first, ...others] = this.#slices
    if (first) await this.#file.writeFile(others.length > 0 ? Buffer.concat(this.#slices) : first)
    this.#slices = []
  }

  async #start(): Promise<FileHandle> {
    const file = await open(this.path, 'wx')
    if (this.#original) {
      const { path, mark } = this.#original
      for await (const chunk of readBytes(path, CHUNK_BYTES, mark, mark + this.#kept)) await file.writeFile(chunk)
    }
    return file
  }

  /** Closes the copy, and returns the file to read. */
  async finish(): Promise<{ path: string; is_copy: boolean }> {
    await this.flush()
    await this.#file?.close()
    return this.#isNeeded || !this.#original
      ? { path: this.path, is_copy: true }
      : { path: this.#original.path, is_copy: false }
  }

  /** Removes the copy. */
  async abort(): Promise<void> {
    await this.#file?.close()
    if (this.#isNeeded) await rm(this.path, { force: true })
  }
}
