import { expect, test } from 'vitest'
import { contentsFit, readContents, unitPriceOf } from '../../../engine/search/contents.ts'

const stated = (title: string) => {
  const contents = readContents(title)
  return contents && [Math.round(contents.total), contents.unit, contents.pack]
}

test.each<[string, [number, string, number] | null]>([
  ['Cola 6 x 355 ml', [2130, 'ml', 6]],
  ['Cola 300mLx8', [2400, 'ml', 8]],
  ['Cola 12 x 355 ml, 12 Pack', [4260, 'ml', 12]],
  ['Cola 24 × 500 mL', [12_000, 'ml', 24]],
  ['Lager, 12 cans, 355 ml, 4.26 L', [4260, 'ml', 12]],
  // A small drink is one of its pack; what is weighed, after the packs, is all of it.
  ['Cola, 6 pack, 12 fl oz', [2129, 'ml', 6]],
  ['Bagels 6 Pack 450 g', [450, 'g', 6]],
  // Before the packs stands the amount of one, unless so much is no pack.
  ['Spaghetti, 16 oz. Box (Pack of 8)', [3629, 'g', 8]],
  ['Applesauce, 3.2 oz pouches, 12 pack', [1089, 'g', 12]],
  ['Decaf Coffee - 12 oz - Classic - 2 Pack', [680, 'g', 2]],
  ['Crackers, 27 g (Pack of 10)', [270, 'g', 10]],
  ['Cola 2 L (Pack of 6)', [12_000, 'ml', 6]],
  ['Cream Cheese, 90 g per pouch, Pack of 12, 1.08 kg', [1080, 'g', 12]],
  ['Pack of 6; 450 g', [450, 'g', 6]],
  ['Oat Cups 340 g, box of 8', [340, 'g', 8]],
  ['Chocolate, Snack Size 375 g, 32 pk', [375, 'g', 32]],
  // As shops in the US write: a count and a slash, a count and a dash, and what the amount is in.
  ['Cola - 12pk/12 fl oz Cans', [4259, 'ml', 12]],
  ['Greek Yogurt - 4ct/5.3oz Cups', [601, 'g', 4]],
  ['Granola Bars - 8ct/6.7oz', [190, 'g', 1]],
  ['Sports Drink, 24 - 20 fl oz bottles', [14_195, 'ml', 24]],
  ['Cola 6-12 fl oz cans', [2129, 'ml', 6]],
  ['Steak 8-12 oz', null],
  ['Fruit Punch, 6 fl oz pouches, 10 count', [1774, 'ml', 10]],
  ['Water, 16.9 fl oz, 40-count', [19_992, 'ml', 40]],
  ['Juice, 10 ct, 60 fl oz', [1774, 'ml', 1]],
  ['Tuna, 4 Count, 5 oz cans', [567, 'g', 4]],
  ['Chips, 1 oz Bags, 50 Count', [1417, 'g', 50]],
  ['Hot Dogs, 15 oz, 8 Count', [425, 'g', 1]],
  ['Milk 355 ml, box of 12', [4260, 'ml', 12]],
  ['Paper Towels, 12 Double Rolls = 24 Regular Rolls', [12, 'each', 12]],
  ['Vitamin D 1000 IU, 200 Softgels', [200, 'each', 200]],
  ['Milk 1.89 L', [1890, 'ml', 1]],
  ['Milk 2% 1/2 gal', [1893, 'ml', 1]],
  ['Beef 2 lb', [907, 'g', 1]],
  ['Beef 1 1/2 lb', [680, 'g', 1]],
  ['Ham ½ lb', [227, 'g', 1]],
  ['Bananas, per lb', [454, 'g', 1]],
  ['Eggs 12 ct', [12, 'each', 12]],
  ['Sponges, pack of 6', [6, 'each', 6]],
  ['2 dozen eggs', [24, 'each', 24]],
  // The same amount twice, and ounces of a drink.
  ['Flour 16 oz (454 g)', [454, 'g', 1]],
  ['Juice 16 OZ | 16 Fl Oz', [473, 'ml', 1]],
  ['Bar 20 g protein, 60 g', [60, 'g', 1]],
  ['Rice $2.99/100 g, 2 kg', [2000, 'g', 1]],
  ['Water 1,000 ml', [1000, 'ml', 1]],
  ['Beurre 454 grammes', [454, 'g', 1]],
  ['Crème à café 18 % 1 litre', [1000, 'ml', 1]],
  ['Lait 4 pintes', [3785, 'ml', 1]],
  ['Syrup 250 ml + 50 ml', null],
  ['Sony WH-1000XM4 Headphones', null],
  ['Memory kit 2 x 4 GB', null],
  ['Laptop 15.6" 16GB', null],
  ['', null],
])('the contents of "%s" are read from the title', (title, expected) => expect(stated(title)).toEqual(expected))

test('a unit price is per 100 g, per 100 ml or per piece', () => {
  expect(unitPriceOf(450, readContents('Bagels 6 Pack 450 g'))).toEqual({ value: 100, per: '100 g' })
  expect(unitPriceOf(426, readContents('Cola 12 x 355 ml'))).toEqual({ value: 10, per: '100 ml' })
  expect(unitPriceOf(360, readContents('Eggs, 12 ct'))).toEqual({ value: 30, per: 'each' })
  expect(unitPriceOf(360, null)).toBeNull()
})

test('the contents of a listing fit those in the query as a whole better than piece by piece', () => {
  const fitOf = (queried: string, title: string) => contentsFit(readContents(queried)!, readContents(title)!)
  expect(fitOf('12 oz', '340 g')).toBe(2)
  expect(fitOf('355 ml', '12 x 355 ml')).toBe(1)
  expect(fitOf('12 pack', '12 x 355 ml')).toBe(2)
  expect(fitOf('6 pack', '12 x 355 ml')).toBe(0)
  expect(fitOf('1 L', '2 L')).toBe(0)
})
