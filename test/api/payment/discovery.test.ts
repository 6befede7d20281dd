import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { text } from 'node:stream/consumers'
import * as agentcash from '@agentcash/discovery'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Embedded } from '../../../api/payment/local-chains.ts'
import { queries } from '../../../engine/index.ts'
import { pathTo, type Reply, type Service, samplePaths } from '../../support/http.ts'
import { strict } from '../../support/strict.ts'
import { createPayer, expensive, requiredOf, servePaid, startChains } from './paying.ts'

let chains: Embedded
let service: Service
let origin: string
/** The queries that cost something, each with parameters that the sample lake can answer. */
const paid = samplePaths().filter(({ query }) => query.group !== 'public')

beforeAll(async () => {
  chains = await startChains()
  service = await servePaid(chains, { SHELFMARK_CONTACT: 'contact@example.com' })
  origin = `http://127.0.0.1:${service.port}`
})

describe('the checks of @agentcash/discovery', () => {
  test('find every query in the contract, with its price and protocols and without warnings', async () => {
    const schema = await agentcash.discoverOriginSchema({ target: origin })
    if (!schema.found) throw new Error(schema.message)
    expect(schema.endpoints.map(({ path }) => path)).toEqual([...queries.map(pathTo), '/v1/quote', '/v1/batch'])
    for (const { path, authMode, pricingMode, protocols } of schema.endpoints) {
      const pricing = path === '/v1/batch' ? 'dynamic' : 'fixed'
      const terms = { authMode: 'paid', pricingMode: pricing, protocols: ['x402', 'mpp'] }
      const isPublic = path.startsWith('/v1/public/') || path === '/v1/quote'
      expect({ path, authMode, pricingMode, protocols }).toEqual({
        path,
        ...(isPublic ? { authMode: 'unprotected' } : terms),
      })
    }
    const contract = (await agentcash.getOpenAPI(origin))._unsafeUnwrap()
    if (contract === null || agentcash.isOpenApiParseFailure(contract)) throw new Error('the contract was not read')
    expect(agentcash.getWarningsForOpenAPI(contract)).toEqual([])
    expect(agentcash.getWarningsForL2(agentcash.checkL2ForOpenAPI(contract))).toEqual([])
    expect(agentcash.getWarningsForL4(agentcash.checkL4ForOpenAPI(contract))).toEqual([])
  })

  test.each(paid)('accept the challenge of $path', async ({ path }) => {
    const unpaid = await service.get(path)
    expect(unpaid.status).toBe(402)
    const required = { requireInputSchema: true, requireOutputSchema: true }
    const checked = agentcash.validatePaymentRequiredDetailed(requiredOf(unpaid), required)
    expect(checked.issues).toEqual([])
    expect(agentcash.getWarningsForMppHeader(String(unpaid.headers['www-authenticate']))).toEqual([])
  })

  test('recognise a paid query by requesting it', async () => {
    const seen = await agentcash.checkEndpointSchema({ url: `${origin}${expensive}`, probe: true })
    if (!seen.found) throw new Error(seen.message)
    const unpaid = seen.advisories.find(({ method }) => method === 'GET')
    expect(unpaid).toMatchObject({ authMode: 'paid' })
  })
})

type Check = { label: string; severity: string; detail?: string }
type Checks = { challenge: Check[]; errorHandling: Check[]; payment: Check[] }
type Validation = { discovery: { found: boolean; valid: boolean; checks: Check[] }; endpoints: Checks[] }

/** Runs the command, whose wallet pays on the local chain. */
const mppx = async (...args: string[]): Promise<string> => {
  const command = createRequire(import.meta.url)
    .resolve('mppx')
    .replace(/index\.js$/, 'bin.js')
  const { PATH = '' } = process.env
  const MPPX_CONFIG = new URL('mppx-config.ts', import.meta.url).pathname
  const env = { PATH, MPPX_CONFIG, TEST_WALLET: JSON.stringify({ rpc: chains.rpc, payers: chains.payers }) }
  const child = spawn(process.execPath, ['--import', 'tsx', command, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout] = await Promise.all([text(child.stdout), once(child, 'close')])
  return stdout
}

type Bazaar = { info: { output: { type: string; example: object } }; schema: Record<string, unknown> }

const headerBytes = ({ headers }: Reply): number =>
  Object.entries(headers).reduce((sum, [name, value]) => sum + `${name}: ${value}\r\n`.length, 0)

describe('the challenge', () => {
  const MAX_HEADER_BYTES = 8192

  test.each(paid)('of $path contains an example answer, in headers below 8 KiB', async ({ path, query }) => {
    const unpaid = await service.get(path)
    expect(headerBytes(unpaid)).toBeLessThan(MAX_HEADER_BYTES)
    const { resource, extensions } = requiredOf(unpaid)
    expect(resource).toMatchObject({ serviceName: 'Shelfmark', tags: ['retail', 'prices', query.group, query.name] })
    const { bazaar } = extensions as { bazaar: Bazaar }
    const { info, schema } = bazaar
    const { example } = info.output
    strict(query.answer).parse(example)
    const validate = new Ajv2020({ allowUnionTypes: true }).compile(schema)
    expect(validate(info), JSON.stringify(validate.errors)).toBe(true)
    for (const name of Object.keys(example)) {
      const wrong = { ...example, [name]: Symbol.iterator }
      expect(validate({ ...info, output: { ...info.output, example: wrong } }), name).toBe(false)
    }
  })

  test('of the longest query omits the example to keep the headers below 8 KiB', async () => {
    const path = `/v1/shopper/best-price?q=coffee${encodeURIComponent(' ｃｏｆｆｅｅ'.repeat(15))}`
    for (const headers of [{}, { 'payment-signature': 'nonsense' }]) {
      const unpaid = await service.get(path, headers)
      expect(unpaid.status, unpaid.body).toBe(402)
      expect(headerBytes(unpaid)).toBeLessThan(MAX_HEADER_BYTES)
      expect(requiredOf(unpaid).extensions).toMatchObject({ bazaar: { info: { output: { type: 'json' } } } })
    }
  })

  test.each(['base', 'solana'] as const)('is repeated by a payment on %s in a header below 8 KiB', async (network) => {
    const payer = await createPayer(chains)
    for (const { path } of paid) {
      const headers = await payer.pay(await service.get(path), network)
      expect(JSON.stringify(headers).length).toBeLessThan(MAX_HEADER_BYTES)
    }
  })
})

describe('the checks of mppx', () => {
  test('accept the challenge, errors, payment and receipt', async () => {
    const [path = '', query = ''] = expensive.split('?')
    const validated = await mppx('validate', origin, '-e', `GET:${path}`, '--query', query, '--output-json', '--yes')
    const { discovery, endpoints } = JSON.parse(validated) as Validation
    expect(discovery).toMatchObject({ found: true, valid: true })
    const [{ challenge, errorHandling, payment }] = endpoints
    const checks = [...discovery.checks, ...challenge, ...errorHandling, ...payment]
    expect(checks.filter(({ severity }) => severity !== 'pass')).toEqual([])
    for (const label of [
      'llms.txt found and nonempty',
      'x402 payment challenge',
      'Payment: successful',
      'Receipt parseable',
    ])
      expect(checks.map((check) => check.label)).toContain(label)
  })

  test('accept the contract', async () => {
    expect(await mppx('discover', 'validate', `${origin}/openapi.json`)).toContain('Discovery document is valid')
  })
})
