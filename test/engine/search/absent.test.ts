import { describe, expect, test } from 'vitest'
import { type Offer, searchAmong } from '../../support/search-among.ts'

const NONE = { code: 'NO_RESULTS' }

describe('a word that the catalogue lacks', () => {
  const search = () =>
    searchAmong([
      ...['Rye Whisky', 'Corn Whisky', 'Balloon Whisk', 'Avocado', 'Sausage', 'Scented Candle', 'Wax Candle'],
      ...['Silver Candelabra', 'Black Peppercorns', 'Sweet Pepper', 'Sweet Corn', 'Hummus'],
    ])

  test.each(['whiskas', 'whiskas cat food', 'candas'])(
    'is not corrected from a stem that it does not have: %s',
    async (q) => {
      expect(await (await search())(q)).toMatchObject(NONE)
    },
  )

  test.each([
    ['candels', ['Scented Candle', 'Wax Candle'], 'and does not complete the singular'],
    ['sausags', ['Sausage'], 'which lacks a letter before the end'],
    ['avacados', ['Avocado'], 'which has the same end'],
    ['hummas', ['Hummus'], 'which is no plural'],
    ['black peper corns', ['Black Peppercorns'], 'with the next one'],
  ])('is corrected: %s finds %j, %s', async (q, names) => {
    expect(await (await search())(q)).toMatchObject({ names })
  })
})

describe('what comes with other things', () => {
  const cameras = Array.from({ length: 250 }, (_, number) => `Zelta D${number} Digital Camera 18-55 mm`)
  const on = (category_path: string, ...names: string[]): Offer[] => names.map((name) => [name, { category_path }])
  const bundle = 'Zelta D5300 18-105 mm Pro Camera Bag'

  test('is not found on the shelf of those', async () => {
    const search = await searchAmong([...on('digital cameras', ...cameras, bundle), ...on('bags', 'Paper Bag')])
    expect(await search('camera bag')).toMatchObject(NONE)
    expect(await search('zelta d5300 camera bag')).toMatchObject({ names: [bundle] })
  })

  test('is found where it is sold', async () => {
    const search = await searchAmong([...on('digital cameras', ...cameras, bundle, 'Leather Camera Bag')])
    expect(await search('camera bag')).toMatchObject({ names: ['Leather Camera Bag'] })
  })
})

describe('in a language with compounds', () => {
  const search = () =>
    searchAmong([
      ...['Seife mit Honig und Milch', 'Tee für Kinder', 'Brot mit Nuss', 'Salat und Dip', 'Keks mit Nuss'],
      ...['Denkrein Spülmittel Lavendel', 'Wohl Duschgel Lavendel', 'Wohl Tee Lavendel', 'Feuchttücher sensitive'],
      ...['Denkrein Seife Erdbeere', 'Wohl Joghurt Erdbeere', 'Zelta Erdbeere', 'Sonnencreme Kids', 'Tücher Papier'],
      ...['Hama Fahrrad-Schloss', 'Hama Fahrrad-Licht', 'Feuchte Erde'],
    ])

  test.each([
    ['lavendel', 'a scent'],
    ['fahrrad', 'what others are for'],
  ])('%s finds nothing: %s', async (q) => {
    expect(await (await search())(q)).toMatchObject(NONE)
  })

  test.each([
    ['erdbeere', ['Zelta Erdbeere'], 'not what tastes of it'],
    ['tee lavendel', ['Wohl Tee Lavendel'], 'what tastes of it'],
    ['feuchte Tücher', ['Feuchttücher sensitive'], 'a compound'],
    ['habt ihr Sonnencreme für Kinder?', ['Sonnencreme Kids'], 'another word, in a question'],
  ])('%s finds %j: %s', async (q, names) => {
    expect(await (await search())(q)).toMatchObject({ names })
  })
})

test('a name that begins as another one is of its kind', async () => {
  const on = (...names: string[]): Offer[] => names.map((name) => [name, { category_path: 'wine/white wine' }])
  const places = [
    'VAILLON',
    'BOUGROS',
    'FOURCHAUME',
    'VOSGROS',
    'LECHET',
    'BEAUROY',
    'FOREST',
    'BUTTEAUX',
    'SECHER',
    'PREUSES',
  ]
  const names = ['', ...places].map((place) => `CHABLIS PREMIER CRU ${place} - DOMAINE ALBA`.replace('  ', ' '))
  const search = await searchAmong([...on(...names), 'Apple Juice'])
  expect(await search('chablis premier cru')).toMatchObject({ names: names.sort() })
})

test('a misspelt text is found in other wordings', async () => {
  const search = await searchAmong(['Riced Cauliflower', 'Brown Rice', 'Cauliflower Florets'])
  expect(await search('califlower rice')).toMatchObject({ names: ['Riced Cauliflower'] })
})

test('a question is understood', async () => {
  const search = await searchAmong(['Sauerkraut', 'Apple Juice'])
  expect(await search('do you have sauerkraut?')).toMatchObject({ names: ['Sauerkraut'] })
})
