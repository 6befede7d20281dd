import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isAccessoryName } from '../../../engine/catalog/accessory.ts'
import { createCategoryResolver } from '../../../engine/catalog/category.ts'
import type { CategoryNode } from '../../../engine/contract/category-node.ts'

type Extra = Partial<Pick<CategoryNode, 'aliases' | 'gpc_codes'>>

/** Depth-first, as the lake numbers them: path, name, products of the subtree, last descendant. */
const shelves: readonly [path: string, name: string, product_count: number, last: number, extra?: Extra][] = [
  ['electronics', 'Electronics', 100, 8, { aliases: ['Tech & Gadgets'] }],
  ['electronics/audio', 'Audio', 30, 4],
  ['electronics/audio/am-fm-radios', 'AM/FM Radios', 10, 2],
  ['electronics/audio/headphones', 'Headphones', 20, 3, { aliases: ['Earphones'] }],
  ['electronics/audio/headphone-accessories', 'Headphone Accessories', 5, 4],
  ['electronics/computers', 'Computers', 60, 8],
  ['electronics/computers/gaming-laptops', 'Gaming Laptops', 40, 6, { gpc_codes: ['10001145'] }],
  ['electronics/computers/laptops', 'Laptops', 20, 7, { aliases: ['Notebooks'], gpc_codes: ['10001145'] }],
  ['electronics/computers/tablets', 'Tablet Computers', 10, 8],
  ['home-and-garden', 'Home & Garden', 80, 12],
  ['home-and-garden/kitchen', 'Kitchen', 50, 11],
  ['home-and-garden/kitchen/mugs', 'Mugs', 30, 11],
  ['home-and-garden/radios', 'Radios', 1, 12],
  ['toys', 'Toys', 20, 15],
  ['toys/kitchen', 'Kitchen', 10, 14],
  ['toys/vests', 'Vests', 0, 15],
]

const nodes = shelves.map(([path, name, product_count, category_last, extra], category_id): CategoryNode => {
  const parts = path.split('/')
  const parent_path = parts.length > 1 ? parts.slice(0, -1).join('/') : null
  const is_accessory = isAccessoryName(name)
  const depth = parts.length
  return {
    ...{ category_id, category_last, path, name, parent_path, depth, is_accessory, product_count },
    ...{ department: parts[0]!, accessory_depth: is_accessory ? depth : 0, aliases: [], gpc_codes: [], ...extra },
  }
})

const resolver = createCategoryResolver(nodes)
const resolved = (input: string, department?: string) =>
  resolver
    .resolve(input, department === undefined ? undefined : resolver.byPath(department))
    .map(({ node, match_confidence, match_source }) => `${match_confidence} ${match_source} ${node.path}`)

describe('resolve', () => {
  it.each([
    ['10001145', '1 gpc electronics/computers/gaming-laptops'],
    ['electronics/computers/laptops', '1 path electronics/computers/laptops'],
    [' ELECTRONICS » Computers | laptops ', '1 path electronics/computers/laptops'],
    ['/electronics/computers/', '1 path electronics/computers'],
    ['home & garden > kitchen', '1 breadcrumb home-and-garden/kitchen'],
    ['Electronics > Audio > AM/FM Radios', '1 breadcrumb electronics/audio/am-fm-radios'],
    ['Electronics / Audio / AM/FM Radios', '1 breadcrumb electronics/audio/am-fm-radios'],
    ['Electronics > Computers > Tablet Computer', '1 breadcrumb electronics/computers/tablets'],
    ['Home & Garden', '1 breadcrumb home-and-garden'],
    ['computers/tablets', '0.95 path_suffix electronics/computers/tablets'],
    ['Audio > Headphones', '0.95 path_suffix electronics/audio/headphones'],
    ['LAPTOPS', '0.95 name electronics/computers/laptops'],
    ['AM/FM Radios', '0.95 name electronics/audio/am-fm-radios'],
    ['laptop', '0.9 name electronics/computers/laptops'],
    ['Electronics > Laptops', '0.9 breadcrumb electronics/computers/laptops'],
    ['notebook', '0.9 alias electronics/computers/laptops'],
    ['Electronics > Notebooks', '0.9 alias electronics/computers/laptops'],
    ['Tech & Gadgets > Computers > Laptops', '0.9 alias electronics/computers/laptops'],
    ['Tech and gadgets > earphone', '0.9 alias electronics/audio/headphones'],
    ['Office > Laptops', '0.7 name electronics/computers/laptops'],
    ['gaming', '0.7 tokens electronics/computers/gaming-laptops'],
    ['radios radios', '0.7883 tokens home-and-garden/radios'],
    ['uters/lap', '0.6 substring electronics/computers/laptops'],
    ['lpatops', '0.6667 fuzzy electronics/computers/laptops'],
  ])('resolves %j to %s', (input, best) => expect(resolved(input)[0]).toBe(best))

  it.each(['', ' ', '/', '> >', '!!!', 'the', 'xyzzy', '99999999', 'ab'])('resolves %j to nothing', (input) => {
    expect(resolved(input)).toStrictEqual([])
  })

  it('matches a GPC code with every node that has it, shallower ones first, then by path', () => {
    expect(resolved('10001145')).toStrictEqual([
      '1 gpc electronics/computers/gaming-laptops',
      '1 gpc electronics/computers/laptops',
    ])
  })

  // Both kitchens: 0.95 * (0.5 + 0.5 * 50 / 60) and 0.95 * (0.5 + 0.5 * 10 / 60).
  it('shares the confidence between equal names by their number of products', () => {
    expect(resolved('kitchen')).toStrictEqual(['0.8708 name home-and-garden/kitchen', '0.5542 name toys/kitchen'])
  })

  it('shares it evenly where no node has products, shallower nodes first', () => {
    const empty = createCategoryResolver(nodes.map((node) => ({ ...node, product_count: 0 })))
    expect(empty.resolve('kitchen').map(({ match_confidence }) => match_confidence)).toStrictEqual([0.7125, 0.7125])
    expect(empty.resolve('kitchen')[0]!.node.path).toBe('home-and-garden/kitchen')
  })

  it('searches only the given department', () => {
    expect(resolved('kitchen', 'toys')).toStrictEqual(['0.95 name toys/kitchen'])
    expect(resolved('home-and-garden/kitchen/mugs', 'toys')).toStrictEqual([])
    expect(resolved('10001145', 'toys')).toStrictEqual([])
    expect(resolved('radios', 'electronics')).toStrictEqual(['0.65 tokens electronics/audio/am-fm-radios'])
  })

  // Tokens: 0.55 + 0.3 / 2 * 1; the accessory shelf loses 0.15 unless it is spoken of.
  it('ranks accessory shelves lower unless the input mentions accessories', () => {
    const audio = createCategoryResolver(nodes.filter(({ name }) => name !== 'Headphones'))
    expect(audio.resolve('headphone')[0]).toMatchObject({ match_confidence: 0.55, match_source: 'tokens' })
    expect(audio.resolve('headphone accessory')[0]).toMatchObject({ match_confidence: 0.9, match_source: 'name' })
  })

  it('matches a substring of a path with the topmost node that contains it', () => {
    expect(resolved('ectroni')).toStrictEqual(['0.6 substring electronics'])
  })

  it('does not depend on the order of the nodes', () => {
    const reversed = createCategoryResolver(nodes.toReversed())
    for (const { name } of nodes) expect(reversed.resolve(name)).toStrictEqual(resolver.resolve(name))
  })

  it('returns at most six different nodes, by descending confidence, for any input', () => {
    const words = fc.constantFrom('laptop', 'kitchen', 'radios', 'home', '&', '/', '>', ' ', 'accessories', '10001145')
    const input = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(words).map((chosen) => chosen.join(' ')),
    )
    fc.assert(
      fc.property(input, (any) => {
        const matches = resolver.resolve(any)
        const confidences = matches.map(({ match_confidence }) => match_confidence)
        expect(matches.length).toBeLessThanOrEqual(6)
        expect(new Set(matches.map(({ node }) => node.path)).size).toBe(matches.length)
        expect(confidences).toStrictEqual(confidences.toSorted((a, b) => b - a))
        expect(confidences.every((confidence) => confidence >= 0 && confidence <= 1)).toBe(true)
      }),
    )
  })

  it('reads only the beginning of a long input', () => {
    expect(resolver.resolve(`${'laptops > '.repeat(100_000)}`)[0]?.node.path).toBe('electronics/computers/laptops')
    expect(resolver.resolve('ﷺ'.repeat(1_000_000))).toStrictEqual([])
  })
})

describe('department', () => {
  it.each(['home-and-garden', 'HOME-AND-GARDEN', 'Home & Garden', ' home and garden '])(
    'accepts the root %j',
    (input) => {
      const node = resolver.byPath('home-and-garden')
      expect(resolver.department(input)).toStrictEqual({ node, match_confidence: 1, match_source: 'department' })
    },
  )

  it.each(['kitchen', 'electronics/computers', 'garden', ''])('does not accept %j', (input) => {
    expect(resolver.department(input)).toBeUndefined()
  })
})

it('byPath finds a node by its whole path in any case', () => {
  for (const path of ['toys/kitchen', 'Toys/Kitchen', 'TOYS/KÍTCHEN/'])
    expect(resolver.byPath(path)?.name).toBe('Kitchen')
  for (const path of ['kitchen', 'toys', 'toys > kitchen', '']) expect(resolver.byPath(path)?.name).not.toBe('Kitchen')
})
