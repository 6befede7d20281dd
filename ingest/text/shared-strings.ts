const [SPACE, SLASH, GREATER] = [32, 47, 62]

/** The offsets of the texts: two numbers each. */
const growing = (offsets: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> => {
  const larger = new Uint32Array(offsets.length * 2)
  larger.set(offsets)
  return larger
}

/** The shared strings of a workbook, which may be millions: their XML stays as it is, outside the heap. */
export class SharedStrings {
  readonly #text: Buffer
  #offsets = new Uint32Array(1024)
  #count = 0

  constructor(text: Buffer) {
    this.#text = text
    const [, prefix = ''] = /<(\w+:)?sst\b/.exec(text.toString('latin1', 0, 10_000)) ?? []
    const [opening, closing] = [`<${prefix}si`, `</${prefix}si>`]
    for (let start = text.indexOf(opening); start >= 0; ) {
      const next = this.#take(start + opening.length, closing)
      start = next < 0 ? -1 : text.indexOf(opening, next)
    }
  }

  /** Takes the string whose tag has a name that ends at a position, and returns where it ends; -1 if it does not. */
  #take(nameEnd: number, closing: string): number {
    const text = this.#text
    const after = text[nameEnd]!
    if (after > SPACE && after !== SLASH && after !== GREATER) return nameEnd
    const start = text.indexOf(GREATER, nameEnd) + 1
    if (start === 0) return -1
    const end = text[start - 2] === SLASH ? start : text.indexOf(closing, start)
    if (end < 0) return -1
    if (this.#count * 2 === this.#offsets.length) this.#offsets = growing(this.#offsets)
    this.#offsets[this.#count * 2] = start
    this.#offsets[this.#count * 2 + 1] = end
    this.#count += 1
    return end
  }

  /** The XML of a string; empty where there is none. */
  xml(index: number): string {
    if (!(index >= 0 && index < this.#count)) return ''
    return this.#text.toString('utf8', this.#offsets[index * 2], this.#offsets[index * 2 + 1])
  }
}
