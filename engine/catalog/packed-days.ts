/** What was observed of a listing on a day. */
export type PackedDay = {
  /** In days since 1970. */
  day: number
  /** Of that day. */
  second: number
  /** In the smallest unit of its currency. */
  price: number
  /** Likewise; -1 without one. */
  list_price: number
  /** Whether it was flagged as a promotion, and whether it was in stock: two bits each (choiceSql). */
  flags: number
}

/** A choice in two bits: 0 unknown, 1 no, 2 yes. */
const choiceSql = (flag: string): string => `coalesce(1 + ${flag}::INTEGER, 0)`
const choiceOf = (bits: number): boolean | null => (bits === 0 ? null : bits === 2)

/** The columns of packed days by those of observations by listing. */
export const PACKED_DAY_COLUMNS = `listing_id, (day - DATE '1970-01-01')::INTEGER AS day, observed_second AS second, price,
  coalesce(list_price, -1)::INTEGER AS list_price,
  (4 * ${choiceSql('promo_flag')} + ${choiceSql('in_stock')})::UTINYINT AS flags`

export const promoFlagOf = ({ flags }: PackedDay): boolean | null => choiceOf(flags >> 2)
export const inStockOf = ({ flags }: PackedDay): boolean | null => choiceOf(flags & 3)

const NOTHING: PackedDay = { day: 0, second: 0, price: 0, list_price: -1, flags: 0 }

const isAsBefore = (a: PackedDay, b: PackedDay): boolean =>
  a.price === b.price && a.list_price === b.list_price && a.flags === b.flags

/** Whole numbers without a sign: 0, -1, 1, -2, 2 are 0, 1, 2, 3, 4. */
const unsigned = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value)
const signed = (value: number): number => (value % 2 === 0 ? value / 2 : -(value + 1) / 2)

const CONTINUES = 128
/** No day takes more bytes. */
const MAX_DAY_BYTES = 64

/** Packs the days of one listing after another (data/search.md): each differs little from the one before. */
export class DayPacker {
  #bytes = new Uint8Array(1 << 16)
  #length = 0
  #before = NOTHING

  #add(value: number): void {
    let rest = value
    for (; rest >= CONTINUES; rest = Math.floor(rest / CONTINUES))
      this.#bytes[this.#length++] = CONTINUES + (rest % CONTINUES)
    this.#bytes[this.#length++] = rest
  }

  add(day: PackedDay): void {
    if (this.#length + MAX_DAY_BYTES > this.#bytes.length) {
      const longer = new Uint8Array(2 * this.#bytes.length)
      longer.set(this.#bytes)
      this.#bytes = longer
    }
    const before = this.#before
    const isChanged = !isAsBefore(day, before)
    this.#add(2 * (day.day - before.day) + Number(isChanged))
    this.#add(unsigned(day.second - before.second))
    if (isChanged) {
      this.#add(unsigned(day.price - before.price))
      this.#add(day.list_price < 0 ? 0 : 1 + unsigned(day.list_price - day.price))
      this.#add(day.flags)
    }
    this.#before = day
  }

  /** The days that were added, after which those of another listing are. */
  take(): Uint8Array {
    const packed = this.#bytes.slice(0, this.#length)
    this.#length = 0
    this.#before = NOTHING
    return packed
  }
}

/** The days that were packed. Throws RangeError if the bytes end within one. */
export const unpackDays = (bytes: Uint8Array): PackedDay[] => {
  let at = 0
  const next = (): number => {
    let [value, unit] = [0, 1]
    for (; bytes[at]! >= CONTINUES; unit *= CONTINUES) value += (bytes[at++]! - CONTINUES) * unit
    if (at >= bytes.length) throw new RangeError('its days end early')
    return value + bytes[at++]! * unit
  }
  const days: PackedDay[] = []
  for (let before = NOTHING; at < bytes.length; days.push(before)) {
    const step = next()
    const [day, second] = [before.day + Math.floor(step / 2), before.second + signed(next())]
    if (step % 2 === 0) {
      before = { ...before, day, second }
      continue
    }
    const price = before.price + signed(next())
    const list = next()
    before = { day, second, price, list_price: list === 0 ? -1 : price + signed(list - 1), flags: next() }
  }
  return days
}
