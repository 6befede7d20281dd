import { expect, test } from 'vitest'
import { searchAmong } from '../../support/search-among.ts'

test('what has every word but is something else is offered, one of each kind, and not answered', async () => {
  const breads = ['Garlic Bread', 'Toasted Garlic Bread', 'Black Garlic Bread', 'Rye Bread']
  const search = await searchAmong([...breads, 'Chicken in Garlic Sauce', 'Tomato Sauce'])
  const refusal = await search('garlic')
  expect(refusal).toMatchObject({ code: 'NO_RESULTS', unknown_words: [] })
  expect(refusal).toHaveProperty('message', expect.stringContaining('Products of other kinds have its words: '))
  expect(refusal).toHaveProperty('nearest.length', 2)
  expect(refusal).toHaveProperty('nearest', [
    expect.objectContaining({ left_out: [], name: expect.stringMatching(/Garlic Bread$/) }),
    expect.objectContaining({ left_out: [], name: 'Chicken in Garlic Sauce' }),
  ])
})
