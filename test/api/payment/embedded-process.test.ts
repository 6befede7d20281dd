import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { compiled } from '../../support/compiled.ts'

const start = compiled('api/payment/local-chains.ts')
const children: ChildProcess[] = []

afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
})

const run = (script: string): ChildProcess => {
  const args = ['--input-type=module', '-e', script]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  return child
}

const isGone = async (url: string): Promise<boolean> =>
  fetch(url).then(
    () => false,
    () => true,
  )

test('the embedded chains end with their process, even if it is killed', async () => {
  const child = run(`
    import { startEmbeddedChains } from '${start}'
    console.log(JSON.stringify((await startEmbeddedChains()).rpc))
  `)
  const [line] = await once(createInterface(child.stdout!), 'line')
  const urls = Object.values(JSON.parse(line as string) as Record<string, string>)
  expect(urls).toHaveLength(3)
  for (const url of urls) expect(await isGone(url), url).toBe(false)
  child.kill('SIGKILL')
  for (const url of urls) await expect.poll(() => isGone(url), { timeout: 10_000 }).toBe(true)
})

test('the embedded chains report which setting to change where their packages are not installed', async () => {
  const hook = `export const resolve = (name, context, next) => {
    if (name === 'litesvm') throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' })
    return next(name, context)
  }`
  const child = run(`
    import { register } from 'node:module'
    register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(hook)}))
    const { startEmbeddedChains } = await import('${start}')
    await startEmbeddedChains().catch((error) => console.log(error.name, error.message))
  `)
  const said = await text(child.stdout!)
  expect(said).toMatch(/^ConfigError SHELFMARK_PAYMENTS: the local chains .* not installed here/)
  expect(said).toContain('facilitator')
})
