import { test } from 'vitest'
import { runCommand } from '../../api/cli/commands.ts'
import { createRateLimit } from '../../api/http/limits.ts'
import { ConfigError, readConfig, settings } from '../../api/ops/config.ts'
import { serveLake } from '../support/http.ts'
import { post } from '../support/post.ts'
import { expectMessages, type Line } from './expect-messages.ts'
import { AS_OF, givenLake } from './lake.ts'

/** What a setting or a command of the service is refused with; null where it is accepted. */
const configErrorOf = async (attempt: () => unknown): Promise<string | null> => {
  try {
    await attempt()
    return null
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
}

/** Each setting as a letter that only free texts accept, settings that are refused together, and commands. */
const refusalsOfService = async (): Promise<Line[]> => {
  const lines: Line[] = []
  const environments: Record<string, string>[] = [
    ...Object.keys(settings.shape).map((name) => ({ [name]: 'é' })),
    { SHELFMARK_PAYMENTS: 'off', SHELFMARK_HOST: '0.0.0.0' },
    { SHELFMARK_PAYMENTS: 'facilitator' },
  ]
  for (const environment of environments) {
    const message = await configErrorOf(() => readConfig(environment))
    const tried = Object.entries(environment).map((entry) => entry.join('='))
    if (message !== null) lines.push([tried.join(' '), 'ConfigError', message])
  }
  for (const words of [['sreve'], ['--port', '1'], ['payments', '--from', 'yesterday']]) {
    const message = await configErrorOf(() => runCommand(words, {}))
    lines.push([words.join(' '), 'ConfigError', message ?? ''])
  }
  return lines
}

const paths = [
  '/v1/analyst/nothing',
  '/v1/analyst/inflation',
  '/v1/analyst/inflation?category=coffee&category=tea',
  '/v1/analyst/inflation?category=%ff',
  '/v1/analyst/%ff',
  `/v1/analyst/inflation?category=${'x'.repeat(9000)}`,
  '/v1/public/brands?limit=0',
  '/v1/analyst/inflation?category=coffee&table=time_series',
  '/v1/quote',
  '/v1/quote?path=/v1/nothing',
  '/v1/quote?path=https://example.com/v1/public/stats',
  '/v1/batch',
]

const bodies = ['', '{}', '[]', '[1]', '[{"path":"/v1/batch"}]', '[{"path":"/v1/public/stats","params":{"q":[]}}]']

const refusalsOfHttp = async (lake: string): Promise<Line[]> => {
  const lines: Line[] = []
  const service = await serveLake(lake, { SHELFMARK_AS_OF: AS_OF })
  for (const path of paths) {
    const { status, body } = await service.get(path)
    const { code, message } = (JSON.parse(body) as { error: { code: string; message: string } }).error
    lines.push([path.replace(/x{99,}/, 'x...'), `${status} ${code}`, message])
  }
  const requests = [
    ...bodies.map((body) => ({ body, headers: {} })),
    { body: 'x'.repeat(200_000), headers: {} },
    { body: '[]', headers: { 'content-type': 'text/csv' } },
    { body: '[]', headers: { accept: 'text/csv' } },
  ]
  for (const { body, headers } of requests) {
    const reply = await post(service.port, '/v1/batch', body, { headers })
    const { code, message } = (JSON.parse(reply.body) as { error: { code: string; message: string } }).error
    const sent = Object.entries(headers).map((header) => header.join(': '))
    lines.push([['POST /v1/batch', ...sent, body.slice(0, 60)].join(' '), `${reply.status} ${code}`, message])
  }
  const takeToken = createRateLimit({ rate: 60, burst: 1 })
  try {
    for (let i = 0; i < 2; i += 1) takeToken('client', 0)
  } catch (error) {
    const { status, code, message } = error as { status: number; code: string; message: string } & Error
    lines.push(['more requests than SHELFMARK_RATE', `${status} ${code}`, message])
  }
  return lines
}

test('refusals of the service', async () => {
  const { lake } = await givenLake()
  await expectMessages('service', {
    'shelfmark-serve: settings and commands': await refusalsOfService(),
    'HTTP: status and code': await refusalsOfHttp(lake),
  })
})
