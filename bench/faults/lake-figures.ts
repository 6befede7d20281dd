import { measureDisk, measureOrder } from './disk.ts'
import type { Figure } from './figure.ts'
import { measureFlips } from './flips.ts'
import { measurePinned } from './pinned.ts'
import { measurePower } from './power.ts'
import { measureMergeKills, measureRefreshKills } from './refresh-kills.ts'
import { measureRot } from './rot.ts'

/** Figures of a lake: what a refresh, a disk or a kill does to it. */
export const lakeFigures: readonly Figure[] = [
  {
    number: 1,
    name: 'kills',
    what: 'SIGKILL in a refresh under a reader',
    goal: '0 torn, 0 mixed snapshots, 0 orphans after the next run',
    misses: 'A kill in a merge that lasts, which merge-kills has: its lakes have 40 listings of one retailer.',
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
    misses:
      'Errors that the system reports only at a later call, and disks that acknowledge what they have not written.',
    full: 200,
    short: null,
    minutes: 15,
    measure: measureDisk,
  },
  {
    number: 3,
    name: 'order',
    what: 'order of durability, by the system calls of a refresh',
    goal: 'fsync of every file and folder before the rename, of the parent after',
    misses: 'Writes that a disk reorders between two flushes: it checks the calls, which power replays.',
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
    misses:
      'Damage that leaves the time of an open file as it was, which the scrub finds later; flips before opening test the check of hashes, without a query.',
    full: 1000,
    short: 4,
    minutes: 15,
    measure: measureFlips,
  },
  {
    number: 5,
    name: 'pinned',
    what: 'an answer pinned to a snapshot while the lake is refreshed',
    goal: 'byte-identical after 12 refreshes',
    misses: 'An answer kept for longer than the snapshots that a lake keeps.',
    full: 12,
    short: null,
    minutes: 1,
    measure: measurePinned,
  },
  {
    number: 22,
    name: 'power',
    what: 'power lost after each call of a refresh; writes that were not flushed by then are kept, lost or torn at random',
    goal: 'the lake opens at the old or the new snapshot, every file with its hash',
    misses: 'Disks that lose what they have flushed, and a loss of power during the next refresh.',
    full: 5000,
    short: null,
    minutes: 10,
    measure: measurePower,
  },
  {
    number: 23,
    name: 'rot',
    what: 'a bit flipped in a file of an open snapshot, its time unchanged; how ready the snapshot before it stands',
    goal: 'found within two periods of hashing; no query is refused for a second',
    misses:
      'Wrong answers before the file is hashed again, which it counts and allows; files that two snapshots share.',
    full: 200,
    short: null,
    minutes: 25,
    measure: measureRot,
  },
  {
    number: 24,
    name: 'merge-kills',
    what: 'SIGKILL in a refresh that merges a million rows, under a reader',
    goal: '0 torn, 0 mixed snapshots, 0 orphans after the next run',
    misses: 'A kill in a merge of months that memory does not hold.',
    full: 20,
    short: null,
    minutes: 20,
    measure: measureMergeKills,
  },
]
