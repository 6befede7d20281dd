import { Agent } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { stopUnderLoad } from '../../bench/faults/restarts.ts'
import { sized } from '../support/full-size.ts'
import { sampleLake, temporaryFolder } from '../support/given.ts'
import { send } from '../support/http.ts'
import { portOf, startService } from '../support/process.ts'

let environment: Record<string, string>
beforeAll(async () => {
  const { lake, as_of } = await sampleLake()
  environment = { SHELFMARK_LAKE: lake, SHELFMARK_AS_OF: as_of.toISOString() }
})

const path = '/v1/analyst/category-summary?category=coffee'

describe('a service that is stopped', () => {
  test.each(sized(['SIGTERM'] as const, ['SIGTERM', 'SIGINT'] as const))(
    'by %s answers every request that it accepted and exits with 0',
    async (signal) => {
      const { statuses, errors, code } = await stopUnderLoad(startService(environment), signal)
      expect(code).toBe(0)
      // A new connection finds nobody listening; an accepted request is answered.
      expect(new Set(errors)).toEqual(new Set(['ECONNREFUSED']))
      expect(statuses.filter((status) => status !== 200)).toEqual([])
    },
  )

  test('exits even if a client keeps an idle connection open', async () => {
    const served = startService(environment)
    const agent = new Agent({ keepAlive: true })
    expect((await send(await portOf(served), path, { agent })).status).toBe(200)
    served.child.kill('SIGINT')
    expect(await served.exited).toBe(0)
    agent.destroy()
  })
})

test('the log names the address first, has one line per request and contains no secret', async () => {
  const served = startService({ ...environment, SHELFMARK_LOG_LEVEL: 'trace' })
  const port = await portOf(served)
  expect(served.log[0]?.msg).toBe(`Server listening at http://127.0.0.1:${port}`)
  const names = ['authorization', 'payment-signature', 'x-payment', 'payment-authorization', 'cookie', 'x-other']
  const headers = Object.fromEntries(names.map((name) => [name, 'canary']))
  for (const address of [
    `${path}&retailer=canary`,
    '/v1/analyst/inflation?category=canary',
    '/canary?canary=canary',
    '/%zz?canary',
  ])
    await send(port, address, { headers })
  served.child.kill('SIGTERM')
  await served.exited
  const answered = served.log.filter(({ msg }) => msg === 'answered')
  expect(answered).toMatchObject([
    {
      method: 'GET',
      route: '/v1/analyst/category-summary',
      status: 404,
      ms: expect.any(Number),
      reqId: expect.any(String),
    },
    { route: '/v1/analyst/inflation', status: 400 },
    { status: 404 },
  ])
  expect(JSON.stringify(served.log)).not.toContain('canary')
  expect(served.errors).toEqual([])
})

describe('a service that cannot start exits with 2 and the reason:', () => {
  test('invalid settings', async () => {
    const served = startService({ SHELFMARK_PORT: 'http', SHELFMARK_RATE: '0' })
    expect(await served.exited).toBe(2)
    expect(served.errors).toEqual([
      'Invalid settings:',
      '  SHELFMARK_PORT: expected a whole number from 0 to 65535, got "http"',
      '  SHELFMARK_RATE: expected a whole number from 1 to 100000000, got 0',
    ])
  })

  test('an address that is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    const { port } = other.address() as AddressInfo
    const served = startService({ ...environment, SHELFMARK_PORT: String(port) })
    expect(await served.exited).toBe(2)
    other.close()
    expect(served.errors.join('\n')).toMatch(/EADDRINUSE.*set SHELFMARK_HOST and SHELFMARK_PORT/)
  })
})

test('a service without a snapshot answers that it is not ready', async () => {
  const served = startService({ SHELFMARK_LAKE: await temporaryFolder() })
  while (!served.log.some(({ msg }) => msg === 'no new snapshot')) await sleep(20)
  const port = Number(/:(\d+)$/.exec(served.log[0]?.msg ?? '')?.[1])
  expect((await send(port, path)).status).toBe(503)
  expect((await send(port, '/openapi.json')).status).toBe(200)
  served.child.kill('SIGTERM')
  expect(await served.exited).toBe(0)
})
