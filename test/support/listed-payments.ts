import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { listPayments } from '../../api/cli/payments.ts'
import type { Config } from '../../api/ops/config.ts'

/** What `serve payments` prints: its lines, and the totals and sessions that go to standard error. */
export const listedPayments = async (
  config: Config,
  options: { from?: string; to?: string; csv?: boolean } = {},
): Promise<{ lines: string[]; totals: string }> => {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const [listed, totals] = [text(stdout), text(stderr)]
  await listPayments(options, config, { stdout, stderr })
  stdout.end()
  stderr.end()
  return { lines: (await listed).split('\n').slice(0, -1), totals: await totals }
}
