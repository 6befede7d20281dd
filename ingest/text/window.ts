/** A range of a text in memory that moves forward through it. */
export class TextWindow {
  readonly bytes: Buffer
  /** The same bytes, four at a time. */
  readonly words: Int32Array
  /** The start and end of the part in `bytes` that is still needed. */
  start = 0
  end = 0
  /** Whether the text ends at `end`. */
  isEnd = false
  readonly #chunks: AsyncGenerator<Buffer, void>
  readonly #chunk_bytes: number
  #rest: Buffer = Buffer.alloc(0)

  /** A window for `max_held_bytes` and one more chunk. */
  constructor(chunks: AsyncGenerator<Buffer, void>, chunk_bytes: number, max_held_bytes: number) {
    const words = Math.ceil((max_held_bytes + 2 * chunk_bytes) / 4)
    this.bytes = Buffer.allocUnsafeSlow(4 * words)
    this.words = new Int32Array(this.bytes.buffer, 0, words)
    this.#chunks = chunks
    this.#chunk_bytes = chunk_bytes
  }

  get size(): number {
    return this.end - this.start
  }

  /** Reads one more chunk, or to the end of the text. `bytes` may move; `start` and `end` follow. */
  async fill(): Promise<void> {
    if (this.bytes.length - this.end < this.#chunk_bytes) {
      this.bytes.copyWithin(0, this.start, this.end)
      this.end -= this.start
      this.start = 0
    }
    const until = Math.min(this.end + this.#chunk_bytes, this.bytes.length)
    while (this.end < until && !this.isEnd) {
      if (this.#rest.length === 0) {
        const { value, done } = await this.#chunks.next()
        if (done) this.isEnd = true
        else this.#rest = value
      }
      const count = this.#rest.copy(this.bytes, this.end, 0, until - this.end)
      this.end += count
      this.#rest = this.#rest.subarray(count)
    }
  }
}
