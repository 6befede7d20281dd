import { describe, expect, test } from 'vitest'
import { searchAmong } from '../../support/search-among.ts'

const SHOP = [
  'Refresco cola Tarn',
  'Refresco Fresca-Cola zero azúcar',
  'Refresco Fresca-Cola',
  'Refresco Lima naranja de la casa',
  'Refresco Lima limón con gas',
  'Zumo de naranja con pulpa',
  'Naranja para mesa',
  'Naranja para zumo',
  'Friegasuelos Lavanda Tarn para suelos',
  'Bolsitas Lavanda Tarn para armarios',
  'Champú con aceite de Granada para el cabello',
  'Lavavajillas con limón Alba en pastillas',
  'Ketchup Fenn',
  'Ketchup de la casa',
  'Pimiento verde de la huerta',
  'Pimiento rojo de la huerta',
  'Pimentón dulce de la Vera',
  'Bebida energética Toro Bravo',
  'Sardinas en aceite de oliva',
  'Pizza 4 quesos con orégano',
  ...Array.from({ length: 45 }, (_, n) => `Galletas de avena número ${n} Tarn con miel`),
]

describe('where names put the kind first', () => {
  const find = searchAmong(SHOP)

  test.each([
    ['fresca cola', ['Refresco Fresca-Cola', 'Refresco Fresca-Cola zero azúcar'], 'a brand after the kind'],
    ['toro bravo', ['Bebida energética Toro Bravo'], 'a brand of a common noun'],
    ['lima naranja', ['Refresco Lima naranja de la casa'], 'a brand with its variety, which names another kind'],
    ['fenn ketchup', ['Ketchup Fenn'], 'a brand before its kind'],
    ['lata de sardinas', ['Sardinas en aceite de oliva'], 'what is in a container'],
    ['sardinas en lata', ['Sardinas en aceite de oliva'], 'how it is packed after it'],
    ['pastillas para lavavajillas', ['Lavavajillas con limón Alba en pastillas'], 'the form before the thing'],
    ['pizza cuatro quesos', ['Pizza 4 quesos con orégano'], 'a number in letters'],
    ['pimienton dulce', ['Pimentón dulce de la Vera'], 'the misspelt word that stands with the others'],
  ])('%s finds %j: %s', async (q, names) => {
    expect(await (await find)(q)).toMatchObject({ names })
  })

  test.each([
    ['lavanda', 'a scent, which a commoner brand follows'],
    ['granada', 'what a thing has in it'],
  ])('%s finds nothing: %s', async (q) => {
    expect(await (await find)(q)).toMatchObject({ code: 'NO_RESULTS' })
  })
})

test('a word that nothing has with the others is one that nearly all of them have, with one error less', async () => {
  const find = await searchAmong([
    'Grand Marlin Orange',
    'Grand Marlin Cherry',
    'Gran Reserva',
    'Baby Bok Choy',
    'Shanghai Bok Choy',
    'Oat Milk',
    'Goat Milk',
  ])
  expect(await find('gran marlin')).toMatchObject({ names: ['Grand Marlin Cherry', 'Grand Marlin Orange'] })
  expect(await find('bok choi')).toMatchObject({ names: ['Baby Bok Choy', 'Shanghai Bok Choy'] })
})
