import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import spectral, { type RulesetDefinition } from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import { beforeAll, describe, expect, test } from 'vitest'
import { openapi } from '../../api/contract/openapi.ts'
import type { Detail } from '../../api/contract/openapi-schemas.ts'
import { temporaryFolder } from '../support/given.ts'

/**
 * The formula of @redocly/cli 2.77 deducts about a hundredth for each parameter of the median operation, which has eight, and
 * for each level of its answer: 95 is out of reach with these, whatever else the document says.
 */
const MIN_READINESS = 80

const run = promisify(execFile)
const details: Detail[] = ['brief', 'full']
let folder: string

const documentOf = (detail: Detail) => openapi({ base_url: 'https://prices.example.org', detail })
const pathOf = (detail: Detail): string => join(folder, `${detail}.json`)

beforeAll(async () => {
  folder = await temporaryFolder()
  for (const detail of details) await writeFile(pathOf(detail), JSON.stringify(documentOf(detail)))
})

/** Runs the command, which would otherwise send how it is used. */
const redocly = async (...args: string[]): Promise<string> => {
  const { PATH = '' } = process.env
  const env = { PATH, REDOCLY_TELEMETRY: 'off', CI: 'true', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const bin = new URL('../../node_modules/@redocly/cli/bin/cli.js', import.meta.url).pathname
  const { stdout } = await run(process.execPath, [bin, ...args], { env, cwd: folder, maxBuffer: 64 * 1024 * 1024 })
  return stdout
}

describe.each(details)('the %s contract document', (detail) => {
  test('has no warning from spectral', async () => {
    const linter = new spectral.Spectral()
    linter.setRuleset({ extends: [oas as RulesetDefinition] })
    const issues = await linter.run(JSON.stringify(documentOf(detail)))
    expect(issues.map(({ code, path, message }) => `${code} at ${path.join('.')}: ${message}`)).toEqual([])
  })

  test('has no warning from redocly', async () => {
    const { totals, problems } = JSON.parse(await redocly('lint', pathOf(detail), '--format', 'json'))
    expect(problems).toEqual([])
    expect(totals).toMatchObject({ errors: 0, warnings: 0 })
  })
})

test('the full contract document is rated as usable by agents', async () => {
  const { agentReadiness, subscores } = JSON.parse(await redocly('score', pathOf('full'), '--format', 'json'))
  expect(agentReadiness).toBeGreaterThanOrEqual(MIN_READINESS)
  expect(subscores).toMatchObject({ exampleCoverage: 1, errorClarity: 1, identifierClarity: 1 })
})
