import { expect, it } from 'vitest'
import { hasAccessoryWord, isAccessoryName, isMixedName } from '../../../engine/catalog/accessory.ts'

it.each([
  ['Watch Accessories', 'accessory'],
  ['Camera Parts & Accessories', 'accessory'],
  ['Art & Crafting Tool Accessories', 'accessory'],
  ['Laptop Replacement Screens', 'accessory'],
  ['Accessory Kits', 'accessory'],
  ['Computer Accessories & Peripherals', 'accessory'],
  ['Apparel & Accessories', 'mixed'],
  ['Seeds, Bulbs & Accessories', 'mixed'],
  ['Vehicles & Parts', 'mixed'],
  ['Party Supplies', 'neither'],
  ['Laptops', 'neither'],
  ['Weight Loss Meal Replacements', 'neither'],
  ['', 'neither'],
])('the shelf name %j is classified as %s', (name, kind) => {
  expect(isAccessoryName(name)).toBe(kind === 'accessory')
  expect(isMixedName(name)).toBe(kind === 'mixed')
})

it('an accessory word is found anywhere in a text, but only as a whole word', () => {
  expect(hasAccessoryWord('LAPTOP-PARTS, cheap')).toBe(true)
  expect(hasAccessoryWord('partial')).toBe(false)
})
