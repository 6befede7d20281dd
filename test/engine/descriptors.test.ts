import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { ensureLake } from '../support/given.ts'
import { feedRow, listing, observed } from '../support/rows.ts'

test('a query without a free file descriptor is refused temporarily, without reporting damage', async () => {
  const rows = Array.from({ length: 30 }, (_, i) => observed(listing(`L${i}`), { '2026-11-01': 999 })).flat()
  const { lake } = await ensureLake({ observations: rows.map(feedRow) })
  const script = new URL('without-descriptors.ts', import.meta.url).pathname
  const command = 'ulimit -n 128; exec "$0" --import tsx "$@"'
  const { stdout, stderr } = spawnSync('bash', ['-c', command, process.execPath, script, lake], { encoding: 'utf8' })
  const refused = 'NOT_READY: The process has no file descriptors left; raise its limit (ulimit -n).'
  expect(stdout, stderr).not.toBe('')
  expect(JSON.parse(stdout)).toEqual(['done', refused, 'null', 'null', 'done', 'done', 'null'])
})
