import { afterAll, beforeAll, expect, test } from 'vitest'
import { Engine } from '../../engine/index.ts'
import { sampleLake } from '../support/given.ts'
import { addressOf, loadNodes, type Node, startNodes, userStatements } from './nodes.ts'

let nodes: Node[]
let lake: string

beforeAll(async () => {
  nodes = await startNodes(2)
  ;({ lake } = await sampleLake())
})
afterAll(() => Promise.all((nodes ?? []).map((node) => node.remove())))

test('the statements for operators are ones of ClickHouse', async () => {
  expect(userStatements).toHaveLength(7)
  for (const statement of userStatements)
    await nodes[0]!.as('writer').rows('SELECT formatQuery({statement:String})', { statement })
})

test('users with their grants load a snapshot, a shard that was lost, and serve', async () => {
  const first = await loadNodes(lake, nodes, 'loader')
  expect(first.nodes.map(({ was_loaded }) => was_loaded)).toEqual([false, false])
  await nodes[0]!.as('writer').execute(`DROP DATABASE ${first.nodes[0]!.database} SYNC`)
  const second = await loadNodes(lake, nodes, 'loader')
  expect(second.nodes.map(({ was_loaded }) => was_loaded)).toEqual([false, true])
  const engine = await Engine.open(lake, { cluster: addressOf(nodes, 'reader') })
  const healthy = nodes.map(({ host }) => ({ host, problem: null }))
  expect(await engine.checkCluster()).toEqual({ nodes: healthy, problem: null })
  engine.close()
})

test('and may do nothing else', async () => {
  const { nodes: loaded } = await loadNodes(lake, nodes, 'loader')
  const { database } = loaded[0]!
  await nodes[0]!.as('writer').execute('CREATE TABLE default.other (n Int32) ORDER BY n')
  const denied = {
    reader: [
      `DROP TABLE ${database}.listing`,
      `INSERT INTO ${database}.shelf_day SELECT * FROM ${database}.shelf_day`,
      'SELECT * FROM default.other',
      'CREATE DATABASE shelfmark_v2_other',
    ],
    loader: ['SELECT * FROM default.other', 'DROP TABLE default.other', 'CREATE DATABASE other'],
  }
  for (const user of ['reader', 'loader'] as const)
    for (const sql of denied[user])
      await expect(nodes[0]!.as(user).execute(sql), sql).rejects.toThrow(/ACCESS_DENIED|READONLY/)
})
