import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { llms } from '../../api/contract/llms.ts'
import { networkNames } from '../../api/ops/networks.ts'
import { answerFields, groups, queries, queryId, requiredParams, withInner } from '../../engine/index.ts'
import { serveSample } from '../support/http.ts'

const service = await serveSample()
const { body: guide } = await service.get('/llms.txt')

/** What a reader of the guide learns of each query, from its text alone. */
const entries = [
  ...guide.matchAll(
    /^- \[([\w/-]+)\]\((\S+)\): (.+)\n(?: {2}(?:Required: ([^.]+)\. ?)?(?:Optional: ([^.]+)\.)?\n)? {2}GET (\S+)$/gm,
  ),
].map(([, id = '', url = '', , required = '', optional = '', request = '']) => {
  const namesIn = (text: string) => text.split(/, | or | and /).filter(Boolean)
  return { id, url, required: namesIn(required), optional: namesIn(optional), request: new URL(request) }
})

test('the guide has every query with its address and parameters, and describes each parameter', () => {
  expect(entries.map(({ id }) => id)).toEqual(
    groups.flatMap((group) => queries.filter((query) => query.group === group).map(queryId)),
  )
  const described = new Set([...guide.matchAll(/^- (\w+)(?: \([^)]*\))?: .+\.$/gm)].map(([, name]) => name))
  for (const { id, required, optional, url, request } of entries) {
    const query = queries.find((candidate) => queryId(candidate) === id)!
    expect(required).toEqual(requiredParams(query).flat())
    expect([...required, ...optional, 'as_of', 'max_age'].toSorted()).toEqual(
      Object.keys(query.params.shape).toSorted(),
    )
    for (const name of [...required, ...optional]) expect(described, `${id} ${name}`).toContain(name)
    expect(request.href.startsWith(url)).toBe(true)
    for (const name of request.searchParams.keys()) expect([...required, ...optional]).toContain(name)
  }
})

describe('a first call by the guide alone', () => {
  test.each(entries.map(({ id, request }) => [id, request] as const))('answers %s', async (_, { pathname, search }) => {
    const { status, body } = await service.get(pathname + search)
    expect(status, body).toBe(200)
  })

  test.each(entries.filter(({ required }) => required.length > 0))(
    'answers $id with one of each of its required parameters, as another query has it',
    async ({ id, url }) => {
      const values = entries.flatMap(({ request }) => [...request.searchParams])
      const own = entries.find((entry) => entry.id === id)!.request.searchParams
      const query = queries.find((candidate) => queryId(candidate) === id)!
      const sent = requiredParams(query).map((names) => {
        const [name, value] = values.find(([name]) => names.includes(name))!
        return [name, own.get(name) ?? value] as [string, string]
      })
      const { status, body } = await service.get(`${new URL(url).pathname}?${new URLSearchParams(sent)}`)
      expect(status, body).toBe(200)
    },
  )
})

test('every group has its price and an answer, and the guide is short enough to be read at once', () => {
  for (const group of groups) expect(guide).toMatch(new RegExp(`^## ${group}: (free|\\d\\.\\d\\d USD a request)$`, 'm'))
  const answers = [...guide.matchAll(/^Some fields of an answer of [\w/-]+, of invented data: (.+)$/gm)]
  expect(answers).toHaveLength(groups.length)
  for (const [, json = ''] of answers) expect(Object.keys(JSON.parse(json)).length).toBeGreaterThan(2)
  expect(Buffer.byteLength(guide)).toBeLessThan(24_000)
})

describe('pages as Markdown', () => {
  const asMarkdown = { accept: 'text/markdown, text/html;q=0.9, */*;q=0.1' }

  test.each(queries.map((query) => [queryId(query), query] as const))(
    'of %s have its definition, parameters, fields and a request',
    async (id, query) => {
      const { status, headers, body } = await service.get(`/queries/${id}`, asMarkdown)
      expect(status).toBe(200)
      expect(headers).toMatchObject({ 'content-type': 'text/markdown; charset=utf-8', vary: 'accept-encoding, accept' })
      expect(body).toContain(query.definition.formula)
      expect(body).toContain(entries.find((entry) => entry.id === id)!.request.href)
      for (const name of Object.keys(query.params.shape)) expect(body).toContain(`\n| ${name} | `)
      for (const { path } of withInner(answerFields(query))) expect(body).toContain(`\n| ${path} | `)
    },
  )

  test('of others are the guide, and browsers get them as HTML', async () => {
    for (const path of ['/', '/start', '/prices', '/reference'])
      expect((await service.get(path, asMarkdown)).body).toBe(guide)
    const coverage = await service.get('/coverage', asMarkdown)
    expect(coverage.body).toBe((await service.get('/queries/public/coverage', asMarkdown)).body)
    const { body } = await service.get('/statistics', asMarkdown)
    for (const { group, name, definition } of queries) {
      const isComputed = group !== 'public' && group !== 'reference'
      expect(body.includes(definition.formula), name).toBe(isComputed)
      expect(body.includes(`Query ${group}/${name}, definition of version`), name).toBe(isComputed)
    }
    const { headers } = await service.get('/queries/analyst/inflation', { accept: 'text/html' })
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
  })
})

test('skills have a document each with the digest that the index has, and requests that are answered', async () => {
  const { headers, body } = await service.get('/.well-known/agent-skills/index.json')
  expect(headers['content-type']).toBe('application/json; charset=utf-8')
  const { $schema, skills } = JSON.parse(body)
  expect($schema).toBe('https://schemas.agentskills.io/discovery/0.2.0/schema.json')
  expect(skills).toHaveLength(3)
  for (const { name, type, description, url, digest } of skills) {
    expect(type).toBe('skill-md')
    expect(description.length).toBeLessThanOrEqual(1024)
    const document = await service.get(url)
    expect(document.headers['content-type']).toBe('text/markdown; charset=utf-8')
    expect(digest).toBe(`sha256:${createHash('sha256').update(document.body).digest('hex')}`)
    expect(document.body.startsWith(`---\nname: ${name}\ndescription: ${description}\n---\n`)).toBe(true)
    const requests = [...document.body.matchAll(/^ {2}GET (\S+)$/gm)].map(([, href = '']) => new URL(href))
    for (const { pathname, search } of requests) expect((await service.get(pathname + search)).status).toBe(200)
  }
})

test('the catalogue of the API names documents that there are', async () => {
  const { headers, body } = await service.get('/.well-known/api-catalog')
  expect(headers['content-type']).toContain(
    'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  )
  const addresses = new Set([...body.matchAll(/"href":"([^"]+)"/g)].map(([, href = '']) => new URL(href).pathname))
  expect(addresses).toEqual(new Set(['/openapi.json', '/openapi.full.json', '/reference', '/llms.txt']))
  for (const path of addresses) expect((await service.get(path)).status, path).toBe(200)
})

test('without a lake the guide has the documented examples', () => {
  expect(
    llms('https://prices.example.com', { accepted: networkNames, currency: '', max_session_amount: null }),
  ).toContain('GET https://prices.example.com/v1/analyst/inflation?category=coffee\n')
})
