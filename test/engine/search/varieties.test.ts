import { expect, test } from 'vitest'
import { type Offer, searchAmong } from '../../support/search-among.ts'

test('a noun that few names are of names a variety of the kind after it, another another kind', async () => {
  const find = await searchAmong([
    ...['Bread', 'Rye Bread', 'Sandwich Bread', 'Garlic Bread'],
    ...['Sandwich', 'Sandwich Press', 'Sandwich Toaster', 'Sandwich Cutter'],
    ...['Garlic', 'Fresh Garlic', 'Organic Garlic'],
  ])
  expect(await find('bread')).toMatchObject({ names: ['Bread', 'Rye Bread', 'Sandwich Bread'] })
})

test('a variety is left out of a shelf where most names are varieties', async () => {
  const find = await searchAmong([
    ...['Bread', 'Sandwich Bread', 'Toasted Sandwich Bread'],
    ...['Sandwich', 'Fresh Sandwich', 'Sandwich Press', 'Sandwich Toaster', 'Sandwich Cutter', 'Sandwich Grill'],
  ])
  expect(await find('bread')).toMatchObject({ names: ['Bread'] })
})

test('a name is of the kind that it ends with after a dash', async () => {
  const names = ['Bench Hill - Bliss Icewine', 'Gehringer - Minus Icewine', 'Recline Ridge - Optima Icewine']
  const find = await searchAmong([...names, 'Quill - Icewine Vinegar'])
  expect(await find('icewine')).toMatchObject({ names })
})

test('what follows a line of a brand is a variety on a shelf of one kind where others are of the line alone', async () => {
  const on = (category_path: string, names: readonly string[]) =>
    names.map((name): Offer => [name, { brand: 'Razor', category_path }])
  const lines = [
    'Razor Basil',
    'Razor Basil V2',
    'Razor Basil V3',
    'Razor Basil Ultimate',
    'Dell Ultimate',
    'Quill Ultimate',
  ]
  const find = await searchAmong([
    ...on('Parts > Mouse', lines),
    ...on('Parts > Cases', ['Razor Basil Case', 'Dell Case']),
  ])
  expect(await find('razor basil')).toMatchObject({ names: lines.slice(0, 4).sort() })
})

test('a brand and a kind are all that the brand has of the kind', async () => {
  const soups = ['Chicken Noodle Soup', 'Tomato Soup', 'Mushroom Soup']
  const find = await searchAmong([
    ...soups.map((name): Offer => [name, { brand: 'Campfire' }]),
    ...['Egg Noodle', 'Rice Noodle', 'Fresh Noodle', 'Noodle Bowl'],
  ])
  expect(await find('campfire soup')).toMatchObject({ names: soups.toSorted() })
})

test('a compound in German is found in any of its varieties', async () => {
  const find = await searchAmong([
    'Alba Knäckebrot',
    'Fenn Sesam Knäckebrot',
    'Tarn Knäckebrot',
    'Tarn Sesam',
    'Fenn Sesam',
    'Seife mit Honig',
    'Seife für Kinder',
  ])
  expect(await find('Knäckebrot')).toMatchObject({
    names: ['Alba Knäckebrot', 'Fenn Sesam Knäckebrot', 'Tarn Knäckebrot'],
  })
})

test('the noun that a query in German has first is its kind, as in names', async () => {
  const names = ['Alba Proteinriegel Vanille', 'Fenn Proteinriegel Schoko', 'Tarn Proteinriegel Schoko Crunch']
  const find = await searchAmong([...names, 'Alba Schoko', 'Fenn Schoko', 'Seife mit Honig', 'Seife für Kinder'])
  expect(await find('Proteinriegel Schoko')).toMatchObject({ names: names.slice(1) })
})
