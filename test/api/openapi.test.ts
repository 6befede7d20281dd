import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { openapi } from '../../api/openapi.ts'
import { queries } from '../../engine/index.ts'
import { pathTo } from '../support/http.ts'

// biome-ignore lint/suspicious/noExplicitAny: a walk over a document of every shape
type Node = any

const document: Node = JSON.parse(JSON.stringify(openapi({ base_url: 'https://prices.example.com' })))

const nodesOf = (node: Node): Node[] =>
  node === null || typeof node !== 'object' ? [] : [node, ...Object.values(node).flatMap(nodesOf)]
const at = (reference: string): Node =>
  reference
    .slice(2)
    .split('/')
    .reduce((node, key) => node?.[key], document)

test('is a valid OpenAPI 3.1 document', async () => {
  expect(await new Validator().validate(structuredClone(document))).toEqual({ valid: true })
  expect(document.openapi).toBe('3.1.0')
  expect(document.info.version).toBe('1.0.0')
})

test('is under 64 KiB, the most that registries read', () => {
  expect(Buffer.byteLength(JSON.stringify(document))).toBeLessThan(65_536)
})

test('has an operation for every query, in their order, and no other', () => {
  expect(Object.keys(document.paths)).toEqual(queries.map(pathTo))
})

test('names its server and, where one is set, whom to write to', () => {
  expect(document.servers).toEqual([{ url: 'https://prices.example.com' }])
  expect(openapi({ base_url: 'https://prices.example.com', contact: 'ops@example.com' })).toMatchObject({
    info: { contact: { email: 'ops@example.com' } },
  })
})

test('every reference leads somewhere, and every component is referred to', () => {
  const references = new Set<string>(
    nodesOf(document).flatMap((node) => (typeof node.$ref === 'string' ? [node.$ref] : [])),
  )
  for (const reference of references) expect(at(reference), reference).toBeDefined()
  const components = Object.entries<Node>(document.components).flatMap(([kind, named]) =>
    Object.keys(named).map((name) => `#/components/${kind}/${name}`),
  )
  expect(components.filter((component) => !references.has(component))).toEqual([])
})

test('says nothing of the machine it was made on', () => {
  const text = JSON.stringify(document)
  expect(text).not.toContain(process.cwd())
  expect(text).not.toMatch(/\.sql|SELECT |node_modules/)
})

describe.each(queries.map((query) => [pathTo(query), query] as const))('%s', (path, query) => {
  const operation = document.paths[path].get
  const parameters: Node[] = operation.parameters.map((parameter: Node) => at(parameter.$ref))

  test('has the parameters of its query, each described', () => {
    expect(parameters.map(({ name }) => name)).toEqual(Object.keys(query.params.shape))
    for (const { description, in: place } of parameters) {
      expect(description).toMatch(/\.$/)
      expect(place).toBe('query')
    }
  })

  test('has a tag, needs no credential and may refuse as the interface says', () => {
    expect(operation.security).toEqual([])
    expect(document.tags.map(({ name }: Node) => name)).toContain(operation.tags[0])
    const refusals = query.group === 'public' ? ['default'] : ['402', 'default']
    expect(Object.keys(operation.responses)).toEqual(['200', ...refusals])
  })
})

test('every parameter that must be given has an example', () => {
  const required = nodesOf(document).filter(({ required }) => required === true)
  const names = new Set(required.map(({ name }) => name))
  expect([...names].sort()).toEqual(['brand', 'category', 'gpc_code', 'retailer'])
  for (const { name, schema } of required) expect(schema.example, name).toMatch(/./)
})

test('defaults, bounds and choices stand in the parameters', () => {
  const named = (path: string, name: string) =>
    document.paths[path].get.parameters
      .map((parameter: Node) => at(parameter.$ref))
      .find((parameter: Node) => parameter.name === name)
  expect(named('/v1/public/categories', 'limit').schema).toEqual({
    type: 'integer',
    default: 200,
    minimum: 1,
    maximum: 500,
  })
  expect(named('/v1/analyst/inflation', 'country').schema).toEqual({
    type: 'string',
    default: 'us',
    enum: ['us', 'ca'],
  })
  expect(named('/v1/marketing/share-of-shelf', 'category')).toMatchObject({
    required: true,
    schema: { example: 'coffee' },
  })
})
