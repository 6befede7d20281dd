import { describe, expect, test } from 'vitest'
import { parseName } from '../../../engine/search/parsed-name.ts'

describe('the main noun', () => {
  test.each<[string, string | null, string]>([
    ['Organic Bananas', null, 'banana'],
    ['Bananas, Organic, per lb', null, 'banana'],
    ['Unsalted Butter', 'Lactantia', 'butter'],
    ['Lactose Free Butter Salted', null, 'butter'],
    ['Butter Cookies', null, 'cooky'],
    ['Banana Bread with Walnuts', null, 'bread'],
    ['Laptop Backpack for 15.6 Inch Laptops', null, 'backpack'],
    ['Case Logic 18 Laptop Case', 'Case Logic', 'case'],
    ['Targus Case Designed for Laptops', 'Targus', 'case'],
    ['Club House - Seasoning, Montreal Steak', 'Club House', 'seasoning'],
    ['Toshiba Satellite L645-S4104 14.0-Inch Laptop - Grey', 'Toshiba', 'laptop'],
    ['Fenstone Apex FE-79 2-in-1 Laptop', 'Fenstone', 'laptop'],
    ['(REPACK) Crown Royal - Peach', null, 'royal'],
    ['Yogourt grec à la vanille', null, 'yogourt'],
    ["Beurre d'arachide crémeux", null, 'beurre'],
    ['Pain au chocolat', null, 'pain'],
    ['Lait écrémé 2 L', null, 'lait'],
    ['Café moulu, torréfaction foncée', null, 'moulu'],
    ['Original', null, 'original'],
  ])('of "%s": %3$s', (name, brand, noun) => expect(parseName(name, brand).heads[0]).toBe(noun))

  test('of a name with a size includes the noun before the size', () => {
    expect(parseName('Pure Shampoo 12 fl oz Citrus').heads).toEqual(['citrus', 'shampoo'])
  })

  test('does not exist where there is no word', () => {
    expect(parseName('').heads).toEqual([])
    expect(parseName('355 ml').heads).toEqual([])
  })
})

test('the words of a name are weighted by their position', () => {
  const { weights } = parseName('Laptop Sleeve, Black, for Zelta KX-200', 'Quill')
  expect(Object.fromEntries(weights)).toMatchObject({ laptop: 1, sleeve: 1, quill: 1, black: 0.5, zelta: 0.5 })
  expect(parseName('Sleeve for Zelta').weights.get('zelta')).toBe(0.25)
})
