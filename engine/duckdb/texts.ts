/** Texts by position. */
export type Texts = { at(position: number): string }

const PER_PAGE = 4096

/** The concatenated texts of one page, and where each begins. */
type Page = { bytes: Buffer; starts: Uint32Array }

const pageOf = (texts: readonly string[]): Page => {
  const starts = new Uint32Array(texts.length + 1)
  for (const [position, text] of texts.entries()) starts[position + 1] = starts[position]! + Buffer.byteLength(text)
  return { bytes: Buffer.from(texts.join('')), starts }
}

/** Collects texts in their order as bytes: millions of strings would burden the garbage collector. */
export const createTexts = () => {
  const pages: Page[] = []
  let last: string[] = []
  const close = () => {
    if (last.length > 0) pages.push(pageOf(last))
    last = []
  }
  return {
    add(text: string): void {
      last.push(text)
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
