import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openPayments } from '../../../api/payment/payments.ts'
import { currentSnapshotId, snapshotFolder } from '../../../engine/index.ts'
import { refreshed, temporaryFolder } from '../../support/given.ts'
import { serveLake } from '../../support/http.ts'
import { feedRow, listing, observed } from '../../support/rows.ts'
import { balanceOf } from './balances.ts'
import { createPayer, networks, paymentFor, startChains } from './paying.ts'

const path = '/v1/marketing/share-of-shelf?category=coffee'

test('a query that fails on a damaged file is not charged, and its payment buys the answer of the snapshot before', async () => {
  const linked = await temporaryFolder()
  for (const day of [1, 2]) {
    const rows = Array.from({ length: 30 + day }, (_, i) => observed(listing(`L${i}`), { [`2026-11-0${day}`]: 999 }))
    await refreshed(linked, { observations: rows.flat().map(feedRow) })
  }
  const lake = join(await temporaryFolder(), 'lake')
  await cp(linked, lake, { recursive: true })
  const chains = await startChains()
  const [payer, balances] = [await createPayer(chains), balanceOf(chains)]
  // The lake is not checked for changes: the query reaches the damage first.
  const settings = { SHELFMARK_PAYMENTS: 'embedded', SHELFMARK_AS_OF: '2026-11-21' }
  const service = await serveLake(lake, settings, undefined, (config, log) => openPayments(config, log, chains))
  const damaged = (await currentSnapshotId(lake))!
  const paid = await Promise.all(
    networks.map(async (network) => ({
      network,
      headers: await paymentFor(service, payer, path, network),
      before: await balances(network),
    })),
  )
  await writeFile(join(snapshotFolder(lake, damaged), 'listings/country=us/part-0.parquet'), 'PAR1 and no more PAR1')
  for (const { network, headers, before } of paid) {
    let reply = await service.get(path, headers)
    expect(reply.status, network).toBe(network === networks[0] ? 503 : 200)
    if (reply.status === 503) expect(await balances(network)).toBe(before)
    while (reply.status === 503) reply = await service.get(path, headers)
    expect([reply.status, reply.headers['x-snapshot-fallback']]).toEqual([200, damaged])
    expect(JSON.parse(reply.body).meta.snapshot_id).not.toBe(damaged)
    expect((await balances(network)) - before).toBe(10_000n)
  }
})
