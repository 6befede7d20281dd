import { brandNorm, gtin, isPlaceholder } from '../../engine/index.ts'
import { readTitle, type TitleReading } from '../../ingest/entities/titles.ts'
import type { Listing } from './entity-feeds.ts'

type Offer = Listing & {
  norm: string | null
  shop: string
  state: string
  barcode: string | null
  reading: TitleReading
}

const ratioOf = (offers: readonly Offer[]): number => {
  const prices = offers.map(({ price = 10 }) => price)
  return Math.max(...prices) / Math.min(...prices)
}

const some = <T>(values: readonly (T | null)[]): T[] => [...new Set(values.filter((value) => value !== null))]

const isSuspect = (code: string, offers: readonly Offer[]): boolean => {
  const carriers = offers.filter(({ barcode }) => barcode === code)
  const places = some(carriers.map(({ country, state }) => `${country} ${state}`))
  const wide = places.some(
    (place) => ratioOf(carriers.filter(({ country, state }) => `${country} ${state}` === place)) > 10,
  )
  return wide || some(carriers.map(({ norm }) => norm)).length >= 3
}

type Key = { rank: number; text: string }

const keysOf = ({ reading, state }: Offer): Key[] => {
  const { brand, part_number, codes, words, pack, kind } = reading
  if (brand === null) return []
  const key = (rank: number, ...parts: unknown[]): Key => ({ rank, text: [rank, brand, ...parts, state].join('|') })
  return [
    ...(part_number === null ? [] : [key(0, part_number, pack)]),
    ...(part_number === null ? codes : [part_number]).map((code) => key(1, code, kind)),
    ...(words === null ? [] : [key(2, words, kind)]),
  ]
}

/**
 * What joins what, worked out one listing against all others: for lakes of a few hundred listings whose titles have at
 * most one model token, so that no choice between several is to be made.
 */
export const joinsExpected = (listings: readonly Listing[]): string[] => {
  const NOTHING_STATED = { brand: null, mpn: null, model: null, size: null, pack: null, is_bundle: false }
  const offers = listings.map(({ name, ...given }): Offer => {
    const { country = 'us', condition = 'new', title = '', mpn = null } = given
    const { anchor, gtin14 } = gtin(given.gtin ?? '')
    const norm = brandNorm(given.brand ?? '')
    const isBrand = norm !== null && !isPlaceholder(norm, country === 'ca' ? 'ca' : 'us')
    const reading = readTitle({ ...NOTHING_STATED, title, brand: isBrand ? (given.brand ?? null) : null, mpn })
    return {
      ...given,
      name,
      norm: isBrand ? norm : null,
      country,
      state: condition,
      shop: `${name.split(' ')[0]} ${country}`,
      barcode: anchor ? gtin14 : null,
      reading,
    }
  })
  const suspects = some(offers.map(({ barcode }) => barcode)).filter((code) => isSuspect(code, offers))
  const sound = offers.map((offer) => (suspects.includes(offer.barcode ?? '') ? { ...offer, barcode: null } : offer))

  const heldBy = (key: Key): Offer[] => sound.filter((offer) => keysOf(offer).some(({ text }) => text === key.text))
  const groupOf = (key: Key, offer: Offer): { text: string; barcode: string | null; shops: number } | null => {
    const sizes = some(heldBy(key).map(({ reading }) => reading.size))
    if (sizes.length > 1 && offer.reading.size === null) return null
    const held =
      sizes.length > 1 ? heldBy(key).filter(({ reading }) => reading.size === offer.reading.size) : heldBy(key)
    const shops = some(held.map(({ shop }) => shop))
    const products = (shop: string) =>
      some(held.filter((one) => one.shop === shop).map(({ barcode, name }) => barcode ?? name))
    const barcodes = some(held.map(({ barcode }) => barcode))
    const isUnambiguous =
      shops.every((shop) => products(shop).length === 1) &&
      barcodes.length <= 1 &&
      some(held.map(({ reading }) => reading.part_number)).length <= 1 &&
      ['us', 'ca'].every((country) => !(ratioOf(held.filter((one) => one.country === country)) > 5))
    const text = sizes.length > 1 ? `${key.text}|${offer.reading.size}` : key.text
    return isUnambiguous ? { text, barcode: barcodes[0] ?? null, shops: shops.length } : null
  }

  const groups = new Map<string, string[]>()
  for (const offer of sound) {
    const usable = keysOf(offer).flatMap((key) => groupOf(key, offer) ?? [])
    const best = usable.find(({ shops }) => shops > 1) ?? usable[0]
    const barcode = offer.barcode ?? best?.barcode
    const anchor = barcode ? `${barcode} ${offer.state}` : (best?.text ?? offer.name)
    groups.set(anchor, [...(groups.get(anchor) ?? []), offer.name])
  }
  return [...groups.values()]
    .filter((names) => names.length > 1)
    .map((names) => names.sort().join(' = '))
    .sort()
}
