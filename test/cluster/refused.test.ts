import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Engine } from '../../engine/index.ts'
import { ask } from '../support/ask.ts'
import { ensureLake } from '../support/given.ts'
import { feedRow, listing, observed, type Row } from '../support/rows.ts'
import { addressOf, freePort, loadNodes, type Node, PASSWORD, startNodes, type User } from './nodes.ts'

const AS_OF = new Date('2026-11-21')
const coffee = { category: 'Grocery > Coffee' }
/** Listings and days: more rows than the users with a limit may read. */
const rowsOf = (listings: number): Row[] =>
  Array.from({ length: listings }, (_, i) =>
    observed(listing(`L${i}`), { '2026-11-10': 1000 + i, '2026-11-12': 1100 + i }),
  )
    .flat()
    .map(feedRow)

let nodes: Node[]
let lake: string

beforeAll(async () => {
  nodes = await startNodes(3)
  ;({ lake } = await ensureLake({ observations: rowsOf(600) }))
  await loadNodes(lake, nodes)
})
afterAll(() => Promise.all((nodes ?? []).map((node) => node.remove())))

/** Why a lake cannot be opened with a cluster. */
const refusal = async (cluster: string, of = lake): Promise<string> => {
  const opened = await Engine.open(of, { as_of: AS_OF, cluster }).catch((cause: unknown) => cause)
  expect(opened).toMatchObject({ code: 'NOT_READY' })
  return (opened as Error).message
}

describe('a cluster is refused, with what to do,', () => {
  const load = /To load it, run: .*refresh.* load --from STORE --to clickhouse:\/\/USER:PASSWORD@127\.0\.0\.1:\d+,/

  test('into which the snapshot was not loaded', async () => {
    const other = await ensureLake({ observations: rowsOf(1) })
    expect(await refusal(addressOf(nodes), other.lake)).toMatch(load)
  })

  test('whose user has another password, which is not repeated', async () => {
    const message = await refusal(addressOf(nodes).replace(PASSWORD, 'guess'))
    expect(message).toMatch(/reader: Authentication failed: password is incorrect/)
    expect(message).not.toMatch(/guess/)
  })

  test('of which no named node listens', async () => {
    const port = await freePort()
    const message = await refusal(`clickhouse://reader:${PASSWORD}@127.0.0.1:${port}`)
    expect(message).toMatch(new RegExp(`node 127\\.0\\.0\\.1:${port} cannot answer: connect ECONNREFUSED`))
  })

  test.each<User>(['fixed', 'constrained'])('whose user %s may not change a setting', async (user) => {
    expect(await refusal(addressOf(nodes, user))).toMatch(
      /(Cannot modify|should not be changed).*Give the user a profile with readonly = 2, without constraints of settings\./,
    )
  })

  test.each([
    ['without the name of its cluster', undefined, /^cluster: several nodes need the name of their cluster/],
    ['with the name of another', 'other', /^cluster: 127\.0\.0\.1:\d+ knows no cluster of this name/],
  ])('for a load %s', async (_, cluster, message) => {
    await expect(loadNodes(lake, nodes, 'writer', { cluster })).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
      message: expect.stringMatching(message),
    })
  })

  test('for a load into nodes of some shards alone', async () => {
    await expect(loadNodes(lake, nodes.slice(0, 2))).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
      message: 'to: names no node of shard 3 of 3',
    })
  })

  test('for a load by a user who may only read', async () => {
    const other = await ensureLake({ observations: rowsOf(2) })
    await expect(loadNodes(other.lake, nodes, 'reader')).rejects.toMatchObject({
      code: 'NOT_READY',
      message: expect.stringMatching(/necessary to have the grant SELECT ON system.clusters/),
    })
  })
})

test('a query that a limit of the profile ends is refused, not answered from a part of the rows', async () => {
  const engine = await Engine.open(lake, { as_of: AS_OF, cluster: addressOf(nodes, 'breaking') })
  const refused = await ask(engine, 'analyst/inflation', coffee).catch((cause: unknown) => cause)
  engine.close()
  expect(refused).toMatchObject({ code: 'NOT_READY', message: expect.stringMatching(/Limit for rows .*exceeded/) })
})

test('any of the nodes, in any order, answers for all', async () => {
  const files = await Engine.open(lake, { as_of: AS_OF })
  const expected = await ask(files, 'analyst/inflation', coffee)
  files.close()
  for (const named of [[...nodes].reverse(), ...nodes.map((node) => [node])]) {
    const engine = await Engine.open(lake, { as_of: AS_OF, cluster: addressOf(named) })
    expect(await ask(engine, 'analyst/inflation', coffee)).toEqual(expected)
    engine.close()
  }
})

test('a user who may only read is enough to serve', async () => {
  const engine = await Engine.open(lake, { as_of: AS_OF, cluster: addressOf(nodes, 'reader') })
  const files = await Engine.open(lake, { as_of: AS_OF })
  expect(await ask(engine, 'analyst/inflation', coffee)).toEqual(await ask(files, 'analyst/inflation', coffee))
  engine.close()
  files.close()
})

test.each([
  'INSERT INTO listing SELECT * FROM listing',
  'DROP TABLE listing',
  'CREATE DATABASE other',
  'TRUNCATE TABLE shard',
  'ALTER TABLE listing DELETE WHERE 1',
])('such a user is refused %s', async (sql) => {
  const [{ name } = { name: '' }] = await nodes[0]!
    .as('writer')
    .rows("SELECT name FROM system.databases WHERE name LIKE 'shelfmark%'")
  await expect(nodes[0]!.as('reader', String(name)).execute(sql)).rejects.toThrow(/Not enough privileges/)
})
