import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { isAccessoryName } from '../../../engine/catalog/accessory.ts'
import { createCategoryResolver } from '../../../engine/catalog/category.ts'
import type { CategoryNode } from '../../../engine/contract/category-node.ts'
import { slug } from '../../../engine/contract/text.ts'

const shared = new URL('../../../../shared/', import.meta.url)
const taxonomy = new URL('data/reference_taxonomies/shopify-2025-08-categories.jsonl.gz', shared)
const vectors = new URL('vectors/category-resolution-shopify.json', shared)

/** A source of pseudo-random whole numbers below `limit` (a linear congruential generator), the same in every run. */
const createRandom = () => {
  let state = 1
  return (limit: number): number => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    return Math.floor((state / 0x80000000) * limit)
  }
}

/** Every node holds one listing of its own: its product count is the number of nodes at or below it. */
const readTaxonomy = (): { nodes: CategoryNode[]; breadcrumbs: Map<CategoryNode, string> } => {
  const lines = gunzipSync(readFileSync(taxonomy)).toString().trim().split('\n')
  const fullNames = lines.map((line) => (JSON.parse(line) as { full_name: string }).full_name)
  const paths = fullNames.map((fullName) => fullName.split(' > ').map(slug))
  const counts = new Map<string, number>()
  for (const parts of paths) {
    for (let depth = 1; depth <= parts.length; depth += 1) {
      const path = parts.slice(0, depth).join('/')
      counts.set(path, (counts.get(path) ?? 0) + 1)
    }
  }
  const nodes = fullNames.map((fullName, category_id): CategoryNode => {
    const parts = paths[category_id]!
    const path = parts.join('/')
    const name = fullName.split(' > ').at(-1)!
    return {
      ...{ category_id, category_last: category_id, path, name, department: parts[0]!, depth: parts.length },
      ...{ parent_path: parts.slice(0, -1).join('/') || null, accessory_depth: 0, is_accessory: isAccessoryName(name) },
      ...{ aliases: [], gpc_codes: [], product_count: counts.get(path)! },
    }
  })
  return { nodes, breadcrumbs: new Map(nodes.map((node, index) => [node, fullNames[index]!])) }
}

/** One letter dropped, swapped with the next, or replaced; not the first, and not in names of under five letters. */
const misspell = (name: string, random: (limit: number) => number): string => {
  if (name.length < 5) return name
  const position = 1 + random(name.length - 2)
  const [before, letter, rest] = [name.slice(0, position), name[position]!, name.slice(position + 1)]
  const replaced = 'abcdefghijklmnopqrstuvwxyz'[random(26)]!
  return [`${before}${rest}`, `${before}${rest[0]}${letter}${rest.slice(1)}`, `${before}${replaced}${rest}`][random(3)]!
}

describe.skipIf(!existsSync(taxonomy))('resolving 10,595 real categories (skipped without ../shared)', () => {
  const { nodes, breadcrumbs } = existsSync(taxonomy) ? readTaxonomy() : { nodes: [], breadcrumbs: new Map() }
  const resolver = createCategoryResolver(nodes)

  /** Shares of the sample whose node comes first, and whose node is among the six. */
  const accuracy = (sample: readonly CategoryNode[], textOf: (node: CategoryNode) => string) => {
    const answers = sample.map((node) => resolver.resolve(textOf(node)).findIndex((match) => match.node === node))
    const share = (hits: readonly number[]) => hits.length / sample.length
    return { first: share(answers.filter((rank) => rank === 0)), among: share(answers.filter((rank) => rank >= 0)) }
  }

  it.each([
    ['slug path', (node: CategoryNode) => node.path],
    ['breadcrumb', (node: CategoryNode) => breadcrumbs.get(node)!],
    ['upper-case path', (node: CategoryNode) => breadcrumbs.get(node)!.replaceAll(' > ', ' / ').toUpperCase()],
  ])('finds every %s with full confidence', (_, textOf) => {
    expect(accuracy(nodes, textOf).first).toBe(1)
    expect(nodes.every((node) => resolver.resolve(textOf(node))[0]!.match_confidence === 1)).toBe(true)
  })

  // 366 nodes share their name with another: only one of each can come first.
  it('puts 98 % of names first and every name among the six matches', () => {
    const { first, among } = accuracy(nodes, ({ name }) => name)
    expect(first).toBeGreaterThanOrEqual(0.98)
    expect(among).toBe(1)
  })

  it('puts 96 % of names with one typo first', () => {
    const random = createRandom()
    const sample = nodes.filter((_, index) => index % 7 === 0)
    const { first } = accuracy(sample, ({ name }) => misspell(name.toLowerCase(), random))
    expect(first).toBeGreaterThanOrEqual(0.96)
  })

  it('agrees with the shared vectors, which list four matches', () => {
    const sources: Record<string, string> = { path_subsequence: 'breadcrumb', leaf_name: 'name' }
    type Match = { category_path: string; confidence: number; match_source: string }
    // The vectors order equal confidences by product counts that they do not give.
    const sorted = (matches: readonly Match[]) =>
      matches.toSorted((a, b) => b.confidence - a.confidence || (a.category_path < b.category_path ? -1 : 1))
    for (const { input, result } of JSON.parse(readFileSync(vectors, 'utf8')) as { input: string; result: Match[] }[]) {
      const answer = resolver.resolve(input).map(({ node, match_confidence, match_source }) => ({
        category_path: node.path,
        confidence: match_confidence,
        match_source: match_source as string,
      }))
      const expected = result.map((match) => ({
        ...match,
        match_source: sources[match.match_source] ?? match.match_source,
      }))
      expect(sorted(answer.slice(0, 4)), input).toStrictEqual(sorted(expected))
    }
  })
})
