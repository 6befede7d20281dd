import { fold } from '../engine/index.ts'
import type { Value } from './database.ts'

type Told = { listing_id: number; title: string; brand: string | null }

const LEAST_WORDS = 3

/** The key under which titles of one product meet: its brand, and all its words whatever their order. */
export const titleKey = (title: string, brand: string | null): string | null => {
  if (brand === null) return null
  const own = new Set(fold(brand).split(' '))
  const words = [...new Set(fold(title).split(' '))].filter((word) => !own.has(word))
  return words.length < LEAST_WORDS ? null : [fold(brand).replaceAll(' ', ''), ...words.sort()].join(' ')
}

export const readTitle = ({ listing_id, title, brand }: Told): readonly Value[] => [listing_id, titleKey(title, brand)]
