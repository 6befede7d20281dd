import { expect, test } from 'vitest'
import { searchAmong } from '../../support/search-among.ts'

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
