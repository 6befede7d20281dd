/** Work of one pass of the event loop takes about so long before others get their turn. */
const TURN_MS = 8

/** When the first work of this pass began, as far as is known. */
let begin: number | null = null

const beginPass = (): void => {
  const now = performance.now()
  begin = now
  setImmediate(() => {
    if (begin === now) begin = null
  })
}

/** Work that waits for its turn, in the order in which it came. */
const line: (() => void)[] = []

const startNext = (): void => {
  beginPass()
  line.shift()?.()
  if (line.length > 0) setImmediate(startNext)
}

/**
 * Lets other work have its turn. One work goes on in each pass of the event loop, so that however many there are at once, the
 * loop never stops for longer than a part of one of them takes.
 */
export const turn = (): Promise<void> =>
  new Promise((resume) => {
    line.push(resume)
    if (line.length === 1) setImmediate(startNext)
  })

/**
 * Lets other work have its turn if a pass of the event loop has been working for some time. Called before long work, since the
 * time counts from the first call in a pass, and between its parts.
 */
export const giveWay = async (): Promise<void> => {
  if (begin === null) beginPass()
  else if (performance.now() - begin >= TURN_MS) await turn()
}

/** Works on items one after the other, and lets other work have its turn between them. */
export const inTurn = async <Item, Result>(items: readonly Item[], work: (item: Item) => Result): Promise<Result[]> => {
  const results: Result[] = []
  for (const item of items) {
    await giveWay()
    results.push(work(item))
  }
  return results
}
