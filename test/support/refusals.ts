import { STATUS_CODES } from 'node:http'
import { expect } from 'vitest'
import { expectPromised } from './contract.ts'
import type { Reply } from './http.ts'

/** What no body may hold: stack traces, paths of files, SQL. */
export const LEAKS =
  /\\n\s+at |(file|node):\/?[\w/]|node_modules|\/(tmp|home|root|work|var|usr)\/|(?<!vnd\.apache)\.(ts|js|sql|parquet)\b|\bSELECT\b|\bFROM\b|DuckDB/

/** Holds a refusal to its form: problem details with an `error` member, or that member alone on public routes. */
export const expectRefusal = (path: string, { status, headers, body }: Reply, expected: number, code: string): void => {
  const where = path.split('?')[0]!
  const isPublic = where.startsWith('/v1/public/')
  expect(status, `${path} ${body}`).toBe(expected)
  const type = isPublic ? 'application/json' : 'application/problem+json'
  expect(headers['content-type']).toBe(`${type}; charset=utf-8`)
  expect(headers['cache-control']).toBe('no-store')
  expect(headers.etag).toBeUndefined()
  const { error, ...problem } = JSON.parse(body)
  expect(error).toEqual({ code, message: expect.stringMatching(/./), details: expect.any(Object) })
  const { message } = error
  const form = {
    type: 'about:blank',
    title: STATUS_CODES[expected],
    status: expected,
    detail: message,
    instance: where,
  }
  expect(problem).toEqual(isPublic ? {} : form)
  expect(body).not.toMatch(LEAKS)
}

/** The same, and as the contract document promises it. */
export const expectPromisedRefusal = (path: string, reply: Reply, status: number, code: string): void => {
  expectRefusal(path, reply, status, code)
  expectPromised(path.split('?')[0]!, status, reply.headers['content-type'] ?? '', reply.body)
}
