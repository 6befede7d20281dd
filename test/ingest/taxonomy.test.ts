import { describe, expect, test } from 'vitest'
import { namesIn, nodesOf, numberNodes, pathOf } from '../../ingest/catalogue/taxonomy.ts'

const crumb = (text: string, gpc_code: string | null = null) => ({ text, gpc_code })

test('a breadcrumb is split at arrows and bars into at most eight names that contain a letter', () => {
  expect(namesIn(' Home > Mugs & Cups ')).toEqual(['Home', 'Mugs & Cups'])
  expect(namesIn('Home » AM/FM | Radios')).toEqual(['Home', 'AM/FM', 'Radios'])
  expect(namesIn('Home >  > *** > Mugs')).toEqual(['Home', 'Mugs'])
  expect(namesIn('a>b>c>d>e>f>g>h>i')).toHaveLength(8)
  expect(pathOf(['Home', 'Mugs & Cups'])).toBe('home/mugs-and-cups')
})

describe('nodesOf', () => {
  test('returns every ancestor once, with its alphabetically first spelling', () => {
    const nodes = nodesOf([crumb('Home > mugs', '10000001'), crumb('HOME > Mugs', '10000002'), crumb('Home')])
    expect(nodes).toMatchObject([
      { path: 'home', name: 'HOME', parent_path: null, gpc_codes: [] },
      { path: 'home/mugs', name: 'Mugs', parent_path: 'home', gpc_codes: ['10000001', '10000002'] },
    ])
  })
})

describe('numberNodes', () => {
  test('numbers nodes depth first, with the last node of each subtree', () => {
    const breadcrumbs = ['B > B', 'A-b', 'A > Z > Y', 'A > Z', 'A > C', 'B'].map((text) => crumb(text))
    const nodes = numberNodes(nodesOf(breadcrumbs))
    expect(
      nodes.map(({ category_id, category_last, path, depth }) => [category_id, category_last, path, depth]),
    ).toEqual([
      [1, 4, 'a', 1],
      [2, 2, 'a/c', 2],
      [3, 4, 'a/z', 2],
      [4, 4, 'a/z/y', 3],
      [5, 5, 'a-b', 1],
      [6, 7, 'b', 1],
      [7, 7, 'b/b', 2],
    ])
    expect(new Set(nodes.map(({ department }) => department))).toEqual(new Set(['a', 'a-b', 'b']))
  })

  test('inherits the depth of the deepest accessory shelf', () => {
    const paths = ['Phones > Phone Accessories > Cases > Replacement Parts', 'Phones > Costumes & Accessories > Hats']
    const nodes = numberNodes(nodesOf(paths.map((text) => crumb(text))))
    expect(nodes.map(({ path, accessory_depth, is_mixed }) => [path, accessory_depth, is_mixed])).toEqual([
      ['phones', 0, false],
      ['phones/costumes-and-accessories', 0, true],
      ['phones/costumes-and-accessories/hats', 0, false],
      ['phones/phone-accessories', 2, false],
      ['phones/phone-accessories/cases', 2, false],
      ['phones/phone-accessories/cases/replacement-parts', 4, false],
    ])
  })

  test('uses the accessory flags of the feed', () => {
    const node = { path: 'parts', name: 'Parts', parent_path: null, aliases: [], gpc_codes: [], is_mixed: null }
    expect(numberNodes([{ ...node, is_accessory: false }])[0]).toMatchObject({
      is_accessory: false,
      accessory_depth: 0,
    })
    expect(numberNodes([{ ...node, is_accessory: null }])[0]).toMatchObject({ is_accessory: true, accessory_depth: 1 })
  })
})
