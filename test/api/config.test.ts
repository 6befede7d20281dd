import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig, settings } from '../../api/ops/config.ts'
import { acceptedNetworks } from '../../api/ops/networks.ts'
import { zodWords } from '../support/refusal-words.ts'

/** The settings that an operator chooses; the others have good defaults, or are for other networks and facilitators. */
const operatorSettings = [
  'SHELFMARK_LAKE',
  'SHELFMARK_PORT',
  'SHELFMARK_BASE_URL',
  'SHELFMARK_PROXIES',
  'SHELFMARK_PAYMENTS',
  'SHELFMARK_JOURNAL',
  'SHELFMARK_NETWORKS',
  'SHELFMARK_FACILITATOR_URL',
  'SHELFMARK_PAY_TO_EVM',
  'SHELFMARK_BASE_RPC_URL',
]

const refusalOf = (environment: Record<string, string>): string => {
  try {
    readConfig(environment)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  throw new Error('these settings fit')
}

test('.env.example lists every setting with its meaning and default', () => {
  const defaults: Record<string, unknown> = settings.parse({})
  const entryOf = (name: string): string => {
    const { description } = settings.shape[name as keyof typeof settings.shape]
    return `# ${description}\n${name}=${defaults[name] ?? ''}\n`
  }
  const isAdvanced = (name: string): boolean => !operatorSettings.includes(name)
  const text = [
    '# Settings of the service (npm run -s serve), with their defaults. Empty: not set.\n\n# What an operator sets\n',
    ...operatorSettings.map(entryOf),
    '# Advanced: the defaults are good, or the setting is for another network or facilitator\n',
    ...Object.keys(settings.shape).filter(isAdvanced).map(entryOf),
  ].join('\n')
  expect(readFileSync(new URL('../../.env.example', import.meta.url), 'utf8')).toBe(text)
})

test('every setting has a description', () => {
  for (const [name, { description }] of Object.entries(settings.shape)) expect(description, name).toMatch(/\.$/)
})

test('the service binds loopback and requires payment where nothing is set', () => {
  expect(readConfig({})).toMatchObject({ host: '127.0.0.1', port: 8402, payments: 'embedded', lake: 'data/lake' })
})

test('settings are read as numbers, times, lists and addresses', () => {
  const config = readConfig({
    SHELFMARK_PORT: '0',
    SHELFMARK_AS_OF: '2026-11-21',
    SHELFMARK_PROXIES: '10.0.0.0/8, ::1',
    SHELFMARK_BASE_URL: 'https://prices.example.com/',
  })
  expect(config).toMatchObject({
    port: 0,
    as_of: new Date('2026-11-21T00:00:00Z'),
    proxies: ['10.0.0.0/8', '::1'],
    base_url: 'https://prices.example.com',
  })
})

test.each([
  ['2GiB', 2 ** 31],
  ['1.5 gb', 1.5e9],
  ['512MiB', 2 ** 29],
  ['64KB', 64_000],
])('a memory budget of %s is %d bytes', (SHELFMARK_MEMORY_BUDGET, bytes) => {
  expect(readConfig({ SHELFMARK_MEMORY_BUDGET }).memory_budget).toBe(bytes)
})

test.each([
  ['SHELFMARK_NETWORK', 'SHELFMARK_NETWORKS'],
  ['SHELFMARK_PAYTO_EVM', 'SHELFMARK_PAY_TO_EVM'],
  ['SHELFMARK_FACILITATOR', 'SHELFMARK_FACILITATOR_URL'],
])('%s, which is no setting, is reported with the nearest one', (name, nearest) => {
  expect(readConfig({ [name]: 'secret' }).unknown).toEqual([
    `${name}: there is no such setting, so that it has no effect; the nearest is ${nearest}`,
  ])
})

test('variables of the other commands are no unknown settings', () => {
  expect(readConfig({ SHELFMARK_WALLET: 'w.json', SHELFMARK_BUDGET: '1.00', SHELFMARK_URL: 'x' }).unknown).toEqual([])
})

test('empty settings count as not set, and unrelated environment variables are ignored', () => {
  expect(readConfig({ SHELFMARK_PORT: '', SHELFMARK_AS_OF: '', PATH: '/bin' })).toEqual(readConfig({}))
})

test('one message lists every invalid setting with what is expected', () => {
  expect(
    refusalOf({
      SHELFMARK_PORT: '65536',
      SHELFMARK_BASE_URL: 'ftp://example.com',
      SHELFMARK_HOST: '0.0.0.0',
      SHELFMARK_PAYMENTS: 'off',
      SHELFMARK_AS_OF: 'yesterday',
      SHELFMARK_MEMORY_LIMIT: 'lots',
    }),
  ).toBe(
    [
      'Invalid settings:',
      'SHELFMARK_PORT: expected a whole number from 0 to 65535, got 65536',
      'SHELFMARK_BASE_URL: expected an address such as https://prices.example.com',
      'SHELFMARK_AS_OF: expected a date or an RFC 3339 time, such as 2026-11-21T08:00:00Z, got "yesterday"',
      'SHELFMARK_MEMORY_LIMIT: expected a size such as 2GiB, got "lots"',
      'SHELFMARK_HOST: expected 127.0.0.1, got "0.0.0.0": with SHELFMARK_PAYMENTS=off only this machine may be served',
    ].join('\n  '),
  )
})

/** Settings that are secrets by their names, or may contain one: keys in addresses, keys where an address belongs. */
const secretive = Object.keys(settings.shape).filter((name) => /TOKEN|SECRET|KEY|URL|PAY_TO|BACKEND/.test(name))

test.each(secretive)('a message does not repeat %s, which may be or contain a secret', (name) => {
  // Together with settings that are refused for sure, so that there is a message.
  const message = refusalOf({ SHELFMARK_PAYMENTS: 'facilitator', SHELFMARK_PORT: '-1', [name]: 'hunter 2' })
  expect(message).toContain('SHELFMARK_PORT: expected')
  expect(message).not.toContain('hunter')
})

test('the settings with secrets are those that are known', () => {
  expect(secretive).toEqual(expect.arrayContaining(['SHELFMARK_MPP_SECRET', 'SHELFMARK_CDP_KEY_SECRET']))
  expect(secretive.length).toBeGreaterThanOrEqual(12)
})

describe('reading the settings refuses', () => {
  test.each([
    ['SHELFMARK_PORT', '-1'],
    ['SHELFMARK_PORT', '1e3'],
    ['SHELFMARK_PORT', '0x10'],
    ['SHELFMARK_PORT', '80.5'],
    ['SHELFMARK_THREADS', '0'],
    ['SHELFMARK_PAYMENTS', 'none'],
    ['SHELFMARK_PROXIES', '10.0.0.0/33'],
    ['SHELFMARK_PROXIES', 'example.com'],
    ['SHELFMARK_PROXIES', '10.0.0.1,,10.0.0.2'],
    ['SHELFMARK_LOG_LEVEL', 'loud'],
    ['SHELFMARK_AS_OF', '2026-02-30'],
  ])('%s=%s', (name, value) => {
    expect(refusalOf({ [name]: value })).toContain(`\n  ${name}: expected `)
  })
})

test.each(Object.keys(settings.shape))('%s is refused in the service’s own words, whatever its value', (name) => {
  for (const value of [
    'x',
    '-1',
    ' ',
    '1e9',
    '9'.repeat(40),
    'é',
    '0x1',
    'null',
    '[]',
    'x'.repeat(5000),
    ',',
    '0.0.0.0/0',
  ]) {
    const message = ((): string => {
      try {
        readConfig({ [name]: value })
        return ''
      } catch (error) {
        expect(error).toBeInstanceOf(ConfigError)
        return (error as ConfigError).message
      }
    })()
    expect(message).not.toMatch(zodWords)
    const [, ...wrong] = message.split('\n  ')
    for (const line of wrong) expect(line).toMatch(/^SHELFMARK_\w+: (expected|required)\b/)
    if (wrong.length > 0) expect(wrong.join()).toContain(name)
  }
})

describe('a service without payments', () => {
  test.each(['127.0.0.1', '127.1.2.3', '::1', 'localhost'])('may bind %s', (host) => {
    expect(readConfig({ SHELFMARK_PAYMENTS: 'off', SHELFMARK_HOST: host }).host).toBe(host)
  })

  test.each(['0.0.0.0', '::', '192.168.1.5', '127.example.com', 'localhost.example.com'])('may not bind %s', (host) => {
    expect(refusalOf({ SHELFMARK_PAYMENTS: 'off', SHELFMARK_HOST: host })).toContain('SHELFMARK_HOST')
  })
})

describe('settings of payments through a facilitator', () => {
  const whole = {
    SHELFMARK_PAYMENTS: 'facilitator',
    SHELFMARK_BASE_URL: 'https://prices.example.com',
    SHELFMARK_FACILITATOR_URL: 'https://facilitator.example.com',
    SHELFMARK_PAY_TO_EVM: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    SHELFMARK_PAY_TO_SOLANA: 'DgQ2bR7VJStaQYm2neaya2j6sYVMfxajGvyPm7h616bj',
    SHELFMARK_PAY_TO_TEMPO: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    SHELFMARK_BASE_RPC_URL: 'https://base.example.com',
    SHELFMARK_SOLANA_RPC_URL: 'https://solana.example.com',
    SHELFMARK_TEMPO_RPC_URL: 'https://tempo.example.com',
    SHELFMARK_MPP_SECRET: `${'n'.repeat(32)},${'o'.repeat(32)}`,
  }

  test('accept real money by default, and a current and a previous secret', () => {
    expect(readConfig(whole)).toMatchObject({ networks: 'mainnet', mpp_secret: ['n'.repeat(32), 'o'.repeat(32)] })
  })

  const without = (...names: (keyof typeof whole)[]) =>
    Object.fromEntries(Object.entries(whole).filter(([name]) => !names.includes(name as keyof typeof whole)))

  test.each([
    ['SHELFMARK_BASE_URL', 'since SHELFMARK_PAYMENTS is facilitator'],
    ['SHELFMARK_FACILITATOR_URL', 'since payments on Base and Solana go through a facilitator'],
    ['SHELFMARK_MPP_SECRET', 'since it signs the challenges of payments on Tempo'],
  ] as const)('are refused without %s', (name, reason) => {
    expect(refusalOf(without(name))).toBe(`Invalid settings:\n  ${name}: required, ${reason}`)
  })

  test('accept the networks whose payee and node are set', () => {
    const accepted = (...names: (keyof typeof whole)[]) => acceptedNetworks(readConfig(without(...names)))
    expect(accepted()).toEqual(['base', 'solana', 'tempo'])
    expect(accepted('SHELFMARK_PAY_TO_SOLANA')).toEqual(['base', 'tempo'])
    expect(accepted('SHELFMARK_BASE_RPC_URL', 'SHELFMARK_TEMPO_RPC_URL', 'SHELFMARK_MPP_SECRET')).toEqual(['solana'])
    const base = ['SHELFMARK_PAY_TO_EVM', 'SHELFMARK_BASE_RPC_URL'] as const
    const solana = ['SHELFMARK_PAY_TO_SOLANA', 'SHELFMARK_SOLANA_RPC_URL'] as const
    expect(accepted(...base, ...solana, 'SHELFMARK_FACILITATOR_URL')).toEqual(['tempo'])
    expect(refusalOf(without(...base, ...solana, 'SHELFMARK_TEMPO_RPC_URL'))).toContain(
      'SHELFMARK_PAY_TO_EVM: required with SHELFMARK_BASE_RPC_URL, unless the payee and node of Solana or Tempo are set',
    )
  })

  test.each([
    ['SHELFMARK_PAY_TO_EVM', '0x12'],
    ['SHELFMARK_PAY_TO_SOLANA', '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'],
    ['SHELFMARK_MPP_SECRET', 'too short'],
    ['SHELFMARK_FACILITATOR_URL', 'ftp://facilitator.example.com'],
    ['SHELFMARK_BASE_URL', 'http://prices.example.com'],
  ])('refuse %s=%s', (name, value) => {
    expect(() => readConfig({ ...whole, [name]: value })).toThrow(`${name}: expected`)
  })
})
