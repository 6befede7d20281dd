/** Texts by position. */
export type Texts = { at(position: number): string }

const PER_PAGE = 4096

/** The concatenated texts of one page, and where each begins. */
type Page = { bytes: Buffer; starts: Uint32Array }

/** Characters that are encoded at once. */
const CHARACTERS_AT_ONCE = 262_144

/** Collects the texts of one page. */
const createPage = () => {
  const starts = new Uint32Array(PER_PAGE + 1)
  const pieces: Buffer[] = []
  let last: string[] = []
  let characters = 0
  let length = 0
  const encode = (): void => {
    pieces.push(Buffer.from(last.join('')))
    last = []
    characters = 0
  }
  return {
    add(text: string): void {
      last.push(text)
      starts[length + 1] = starts[length]! + Buffer.byteLength(text)
      length += 1
      characters += text.length
      if (characters >= CHARACTERS_AT_ONCE) encode()
    },
    get length(): number {
      return length
    },
    end(): Page {
      encode()
      return { bytes: Buffer.concat(pieces), starts: starts.slice(0, length + 1) }
    },
  }
}

/** Collects texts in their order as bytes: millions of strings would burden the garbage collector. */
export const createTexts = () => {
  const pages: Page[] = []
  let last = createPage()
  const close = () => {
    if (last.length > 0) pages.push(last.end())
    last = createPage()
  }
  return {
    add(text: string): void {
      last.add(text)
      if (last.length === PER_PAGE) close()
    },
    /** The texts added so far; no more may be added. */
    end(): Texts {
      close()
      return {
        at(position) {
          const page = pages[Math.floor(position / PER_PAGE)]
          const start = page?.starts[position % PER_PAGE]
          const end = page?.starts[(position % PER_PAGE) + 1]
          if (!page || end === undefined) throw new RangeError(`there is no text ${position}`)
          return page.bytes.toString('utf8', start, end)
        },
      }
    },
  }
}
