import { readFileSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { openapi } from '../../api/contract/openapi.ts'
import type { Detail } from '../../api/contract/openapi-schemas.ts'
import { fitted } from '../../api/contract/openapi-size.ts'
import { findQuery, type Group, groups, queries } from '../../engine/index.ts'
import { contractExamples } from '../support/contract-examples.ts'
import { pathTo } from '../support/http.ts'
import { strict } from '../support/strict.ts'

// biome-ignore lint/suspicious/noExplicitAny: a walk over a document of every shape
type Node = any

const base_url = 'https://prices.example.com'
const documentOf = (detail: Detail, group?: Group): Node =>
  JSON.parse(JSON.stringify(openapi({ base_url, detail, group })))
const document = documentOf('brief')
const full = documentOf('full')
const allDocuments = [document, full, ...groups.map((group) => documentOf('full', group))]

const nodesOf = (node: Node): Node[] =>
  node === null || typeof node !== 'object' ? [] : [node, ...Object.values(node).flatMap(nodesOf)]
const at = (reference: string, root = document): Node =>
  reference
    .slice(2)
    .split('/')
    .reduce((node, key) => node?.[key], root)

test.each([
  ['in brief', document],
  ['in full', full],
])('the contract is a valid OpenAPI 3.1 document, %s', async (_, document) => {
  expect(await new Validator().validate(structuredClone(document))).toEqual({ valid: true })
  expect(document.openapi).toBe('3.1.0')
  expect(document.info.version).toBe('1.0.0')
})

describe('the limit of 128 KiB, below which agents and registries read a document,', () => {
  const bytesOf = (document: Node) => Buffer.byteLength(JSON.stringify(document))

  test.each(['/openapi.json', ...groups.map((group) => `/openapi/${group}.json`)])('is kept by %s', (path) => {
    const group = groups.find((name) => path.includes(`/${name}.`))
    expect(bytesOf(fitted(group ? documentOf('full', group) : document))).toBeLessThan(131_072)
  })

  test('is kept by leaving examples and then types of answers out, however many queries there are', async () => {
    for (const max_bytes of [80_000, 65_000]) {
      const short = fitted(document, max_bytes) as Node
      expect(bytesOf(short)).toBeLessThan(max_bytes)
      expect(await new Validator().validate(structuredClone(short))).toEqual({ valid: true })
      expect(Object.keys(short.paths)).toEqual(Object.keys(document.paths))
      expect(short.components.parameters).toEqual(document.components.parameters)
      expect(short.paths['/v1/quote']).toEqual(document.paths['/v1/quote'])
      const { schema } = short.paths['/v1/shopper/best-price'].get.responses[200].content['application/json']
      expect(schema.description).toContain('/openapi/shopper.json')
    }
    const analyst = documentOf('full', 'analyst')
    const bytes = bytesOf(analyst)
    expect(JSON.stringify(fitted(analyst, bytes))).not.toContain('"example":{')
    expect(fitted(analyst, bytes + 1)).toEqual(analyst)
  })
})

describe.each(groups)('the contract of the group %s', (group) => {
  const part = documentOf('full', group)

  test('is a valid document with the queries of the group as the full contract has them', async () => {
    expect(await new Validator().validate(structuredClone(part))).toEqual({ valid: true })
    const members = queries.filter((query) => query.group === group).map(pathTo)
    expect(Object.keys(part.paths)).toEqual(members)
    for (const path of members) expect(part.paths[path].get.responses).toEqual(full.paths[path].get.responses)
    for (const [id, schema] of Object.entries(part.components.schemas))
      expect(schema).toEqual(full.components.schemas[id])
  })
})

test('the contract has one operation per query, in the same order, then the quote and the batch', () => {
  expect(Object.keys(document.paths)).toEqual([...queries.map(pathTo), '/v1/quote', '/v1/batch'])
})

test('the contract names its server and, where one is set, its contact', () => {
  expect(document.servers).toEqual([{ url: 'https://prices.example.com' }])
  expect(openapi({ base_url: 'https://prices.example.com', contact: 'ops@example.com' })).toMatchObject({
    info: { contact: { email: 'ops@example.com' } },
  })
})

test('every reference of the contract resolves, and every component is referenced', () => {
  for (const root of allDocuments) {
    const references = new Set<string>(
      nodesOf(root).flatMap((node) => (typeof node.$ref === 'string' ? [node.$ref] : [])),
    )
    for (const reference of references) expect(at(reference, root), reference).toBeDefined()
    const components = Object.entries<Node>(root.components).flatMap(([kind, named]) =>
      Object.keys(named).map((name) => `#/components/${kind}/${name}`),
    )
    expect(components.filter((component) => !references.has(component))).toEqual([])
  }
})

test('the contract reveals nothing about the machine that made it', () => {
  const text = JSON.stringify(document)
  expect(text).not.toContain(process.cwd())
  expect(text).not.toMatch(/\.sql|SELECT |node_modules/)
})

describe.each(queries.map((query) => [pathTo(query), query] as const))('%s', (path, query) => {
  const operation = document.paths[path].get
  const parameters: Node[] = operation.parameters.map((parameter: Node) => at(parameter.$ref))

  test('has the parameters of its query, each with a description', () => {
    expect(parameters.map(({ name }) => name)).toEqual(Object.keys(query.params.shape))
    for (const { description, in: place } of parameters) {
      expect(description).toMatch(/\.$/)
      expect(place).toBe('query')
    }
  })

  test('has a tag, requires no credential and lists its refusals', () => {
    expect(operation.security).toEqual([])
    expect(document.tags.map(({ name }: Node) => name)).toContain(operation.tags[0])
    const refusals = [query.group === 'public' ? '4XX' : '402', 'default']
    expect(Object.keys(operation.responses)).toEqual(['200', ...refusals])
  })
})

test('every required parameter has an example', () => {
  const required = nodesOf(document).filter(({ name, required }) => name && required === true)
  const names = new Set(required.map(({ name }) => name))
  expect([...names].sort()).toEqual(['brand', 'category', 'gpc_code', 'items', 'path', 'retailer', 'series'])
  for (const { name, schema } of required) expect(schema.example, name).toMatch(/./)
})

test('parameters have their defaults, bounds and choices', () => {
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

describe('the schemas', () => {
  const under = (schema: Node): Node[] => {
    const { properties = {}, items, anyOf = [] } = schema
    const inner = [...Object.values(properties), ...(items ? [items] : []), ...anyOf]
    return [schema, ...inner.flatMap(under)]
  }
  const schemasIn = ({ components, paths }: Node): Node[] =>
    nodesOf([components.parameters, paths])
      .flatMap(({ schema }) => (schema ? [schema] : []))
      .concat(Object.values(components.schemas))
      .flatMap(under)

  test.each([
    ['in brief', document],
    ['in full', full],
  ])('have a type each, %s, and no pattern that a format implies', (_, document) => {
    for (const node of schemasIn(document)) {
      const text = JSON.stringify(node)
      expect(
        ['type', '$ref', 'anyOf', 'enum'].some((key) => key in node),
        text,
      ).toBe(true)
      if (node.properties) expect([node.type].flat(), text).toContain('object')
      if (node.items) expect([node.type].flat(), text).toContain('array')
      if (node.format) expect(node.pattern, text).toBeUndefined()
    }
  })

  test('describe every field of an answer with its meaning and unit in the full document', () => {
    const { Inflation, Deal, Error: _, Problem: __, PublicProblem: ___, ...others } = full.components.schemas
    expect(Inflation.required).toEqual(Object.keys(findQuery('analyst', 'inflation')!.answer.shape))
    expect(Inflation.properties.lfl_change_pct).toMatchObject({
      type: ['number', 'null'],
      'x-unit': 'percent',
      'x-headline': true,
    })
    expect(Inflation.properties.naive_overall_change_pct).toMatchObject({ deprecated: true })
    expect(Deal.properties.price['x-unit']).toBe('money')
    for (const node of [Inflation, Deal, ...Object.values(others)].flatMap(under))
      for (const [name, field] of Object.entries<Node>(node.properties ?? {})) {
        const { $ref } = field.anyOf?.[0] ?? field
        expect(field.description ?? at($ref, full).description, name).toMatch(/\.$/)
        if (/number|integer/.test(String(field.type))) expect(field, name).toHaveProperty('x-unit')
      }
  })

  const isDescribed = (field: Node): boolean => {
    const { $ref } = field.anyOf?.[0] ?? field
    return Boolean(field.description ?? ($ref && at($ref, full).description))
  }
  const lacking = (schemas: Node[]): string[] =>
    schemas
      .flatMap(under)
      .flatMap(({ properties = {} }) => Object.entries<Node>(properties))
      .flatMap(([name, field]) => (isDescribed(field) ? [] : `${name}: ${JSON.stringify(field).slice(0, 80)}`))

  test('leave no field of a refusal, a request or an answer without a description', () => {
    for (const { components, paths } of allDocuments) {
      const refusals = ['Error', 'Problem', 'PublicProblem'].flatMap((id) => components.schemas[id] ?? [])
      expect(lacking(refusals)).toEqual([])
      const bodies = nodesOf(paths).flatMap(({ requestBody }) => (requestBody ? [requestBody] : []))
      const schemas = nodesOf(bodies).flatMap(({ schema }) => schema ?? [])
      expect(lacking(schemas)).toEqual([])
      for (const { items } of schemas) expect(isDescribed(items)).toBe(true)
      for (const header of Object.values<Node>(components.headers)) expect(header.description).toMatch(/./)
    }
    for (const root of allDocuments.slice(1)) expect(lacking(schemasIn(root))).toEqual([])
  })

  test.each([
    ['in brief', document],
    ['in full', full],
  ])('mark exactly the fields kept for old clients as deprecated, %s', (_, { components }) => {
    const deprecated = Object.entries<Node>(components.schemas).flatMap(([id, { properties = {} }]) =>
      Object.entries<Node>(properties).flatMap(([name, schema]) => (schema.deprecated ? `${id}.${name}` : [])),
    )
    expect(deprecated).toEqual(['Inflation.overall_change_pct', 'Inflation.naive_overall_change_pct'])
  })

  test('come with the definition and an example answer of every operation in the full document', () => {
    for (const query of queries) {
      const { description, responses } = full.paths[pathTo(query)].get
      expect(description).toContain(query.definition.population)
      expect(description).toContain(query.definition.null_rule)
      const { example } = responses[200].content['application/json']
      expect(strict(query.answer).safeParse(example).error, pathTo(query)).toBeUndefined()
    }
  })
})

test('each contract document names the others', () => {
  expect(document.info.description).toContain('/openapi.full.json')
  expect(document.info.description).toContain('/openapi/shopper.json')
  expect(full.info.description).toContain('/openapi.json')
})

test('the examples are answers of the sample lake, as `npm run examples` writes them', async () => {
  const kept = readFileSync(new URL('../../api/contract/openapi-examples.json', import.meta.url), 'utf8')
  expect(kept).toBe(await contractExamples())
})
