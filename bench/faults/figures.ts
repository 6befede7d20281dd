import { measureDisk, measureOrder } from './disk.ts'
import type { Figure } from './figure.ts'
import { measureFlips } from './flips.ts'
import { measurePinned } from './pinned.ts'
import { measureRefreshKills } from './refresh-kills.ts'
import { measureSupplyChain } from './supply-chain.ts'

/** The figures of reliability, in the order of the table. */
export const figures: readonly Figure[] = [
  {
    number: 1,
    name: 'kills',
    what: 'SIGKILL in a refresh under a reader',
    goal: '0 torn, 0 mixed snapshots, 0 orphans after the next run',
    full: 200,
    short: null,
    minutes: 10,
    measure: measureRefreshKills,
  },
  {
    number: 2,
    name: 'disk',
    what: 'EIO and ENOSPC at every write, fsync and rename of a refresh; a full disk',
    goal: 'the old snapshot served, a clear error',
    full: 200,
    short: 6,
    minutes: 15,
    measure: measureDisk,
  },
  {
    number: 3,
    name: 'order',
    what: 'order of durability, by the system calls of a refresh',
    goal: 'fsync of every file and folder before the rename, of the parent after',
    full: 3,
    short: 1,
    minutes: 1,
    measure: measureOrder,
  },
  {
    number: 4,
    name: 'flips',
    what: 'bits flipped in each of 3 codecs, a fifth as many truncations and flips after opening',
    goal: 'all refused by file name; 0 wrong answers, 0 crashes',
    full: 1000,
    short: 20,
    minutes: 15,
    measure: measureFlips,
  },
  {
    number: 5,
    name: 'pinned',
    what: 'an answer pinned to a snapshot while the lake is refreshed',
    goal: 'byte-identical after 12 refreshes',
    full: 12,
    short: 4,
    minutes: 1,
    measure: measurePinned,
  },
  {
    number: 18,
    name: 'supply',
    what: 'supply chain',
    goal: 'lock file with integrity; at most 20 direct runtime dependencies; no install script unreviewed; under 200 MB',
    full: 1,
    short: 1,
    minutes: 1,
    measure: measureSupplyChain,
  },
]
