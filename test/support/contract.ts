import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'vitest'
import { openapi } from '../../api/contract/openapi.ts'

type Document = {
  paths: Record<string, Record<'get' | 'post', { responses: Record<string, Response> } | undefined>>
  components: { schemas: Record<string, unknown>; responses: Record<string, Response> }
}
type Response = { $ref?: string; content?: Record<string, { schema: { $ref: string } }> }

export const contract = JSON.parse(
  JSON.stringify(openapi({ base_url: 'http://127.0.0.1', detail: 'full' })),
) as Document

const formats = {
  date: /^\d{4}-\d\d-\d\d$/,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
}
const ajv = new Ajv2020({ strict: true, strictTypes: false, formats, keywords: ['components', 'x-unit', 'x-headline'] })
ajv.addSchema({ $id: 'contract', components: { schemas: contract.components.schemas } })

/** The response that the contract document promises for a path and status. */
const promised = (path: string, status: number): Response => {
  const { get, post } = contract.paths[path] ?? {}
  const { responses = {} } = get ?? post ?? {}
  const response = responses[status] ?? responses.default
  if (!response) throw new Error(`the contract document has no ${status} for ${path}`)
  return response.$ref ? contract.components.responses[response.$ref.split('/').at(-1) ?? '']! : response
}

/** Holds a body to what the contract document promises for its path, status and media type. */
export const expectPromised = (path: string, status: number, type: string, body: string): void => {
  const { content = {} } = promised(path, status)
  const schema = content[type.split(';')[0] ?? '']?.schema
  expect(schema, `${type} is promised for ${status} of ${path}`).toBeDefined()
  const validate = ajv.getSchema(`contract${schema?.$ref}`)
  expect(validate, schema?.$ref).toBeDefined()
  const isValid = validate?.(JSON.parse(body))
  expect(isValid ? [] : validate?.errors, `${path} ${body.slice(0, 500)}`).toEqual([])
}
