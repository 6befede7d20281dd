import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { Agent } from 'node:http'
import { expect, test } from 'vitest'
import { send, serveSample } from '../support/http.ts'
import { portOf, startService } from '../support/process.ts'
import { expectRefusal } from '../support/refusals.ts'
import { sampleLake } from '../support/sample.ts'

const path = '/v1/public/stats'

/** A client with one connection, which it keeps. */
const createClient = () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return { agent, get: (port: number, path: string) => send(port, path, { agent }) }
}

test('a connection beyond the limit is refused and closed, until another connection ends', async () => {
  const { port } = await serveSample({ SHELFMARK_MAX_CONNECTIONS: '2' })
  const [first, second] = [createClient(), createClient()]
  for (const client of [first, second]) expect((await client.get(port, path)).status).toBe(200)
  const refused = await send(port, path, { agent: false })
  expectRefusal(path, refused, 503, 'NOT_READY')
  expect(refused.headers).toMatchObject({ connection: 'close', 'retry-after': '1' })
  expect((await second.get(port, path)).status).toBe(200)
  first.agent.destroy()
  await expect.poll(async () => (await send(port, path, { agent: false })).status).toBe(200)
  second.agent.destroy()
})

const canLimit = process.platform === 'linux' && spawnSync('prlimit', ['--version']).status === 0

test.skipIf(!canLimit)(
  'a service without a free file descriptor refuses temporarily and answers once it has one',
  async () => {
    const { lake, as_of } = await sampleLake()
    const served = startService({ SHELFMARK_LAKE: lake, SHELFMARK_AS_OF: as_of.toISOString() })
    const port = await portOf(served)
    const pid = String(served.child.pid)
    const limit = (descriptors: string) => execFileSync('prlimit', ['--pid', pid, `--nofile=${descriptors}:`])
    const { agent, get } = createClient()
    const query = '/v1/analyst/inflation?category=coffee&days='
    expect((await get(port, `${query}30`)).status).toBe(200)

    // A descriptor that it closes between the count and the query is a free one: then the next query is refused.
    for (let days = 31; ; days += 1) {
      const open = new Set(readdirSync(`/proc/${pid}/fd`))
      // The limit is on the numbers of descriptors: below it all are open.
      let lowest = 0
      while (open.has(`${lowest}`)) lowest += 1
      limit(`${lowest}`)
      const reply = await get(port, `${query}${days}`)
      limit('1024')
      expect((await get(port, `${query}${days}`)).status).toBe(200)
      if (reply.status === 200 && days < 40) continue
      expectRefusal(`${query}${days}`, reply, 503, 'NOT_READY')
      break
    }
    agent.destroy()
    served.child.kill('SIGTERM')
    expect(await served.exited).toBe(0)
  },
)
