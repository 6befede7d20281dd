import { commandLine } from '../../engine/index.ts'

const refresh = (args: string): string => commandLine('refresh', args)

export const HELP = `Turns feeds into the next snapshot of a lake, and maintains the snapshots of a lake.

${refresh('--feeds DIR [options]')}
    read feeds, publish a snapshot
${refresh('check FILE... [--mapping FILE] [--feeds DIR]')}
    propose a mapping for files, or try the ones given: what a refresh would read and refuse of them; FILE may be a
    folder; needs no lake
${refresh('quality')}
    what the last refresh brought, by retailer, country and month
${refresh('withdraw --platform P [--country C] [--from D] [--to D]')}
    publish a snapshot without these rows
${refresh('snapshots | verify | rollback [ID] | prune')}
    the snapshots of the lake
${refresh('backup [ID] --to DIR')}
    copy the published snapshot, or ID, to a backup, which is a lake itself
${refresh('restore [ID] --from DIR')}
    copy it back into the lake, in the place of a damaged one, and publish it

Reading
  --feeds DIR           a sub-folder for each feed (data/README.md)
  --mapping FILE        describes a folder of other people's files (data/mappings); may be given several times
  --release LABEL       the label of a GPC release whose file name does not contain it, such as v20251127
  --as-of TIME          the time of the refresh (now); rows observed more than a day after it are refused

Limits, beyond which nothing is published
  --max-quarantine N    share of a file's rows that may be refused (0.01)
  --max-drop N          share of serving shelves, observations, or a retailer's rows of a month that may be lost; 1
                        allows any loss (0.5)
  --accept RETAILER     publish this retailer's rows whatever their prices and number; may be given several times

Withdrawing
  --platform P, --country C, --from DATE, --to DATE     whose rows, and of which days: from DATE up to, not including, DATE

Backups (ingest/snapshot/README.md)
  --to DIR, --from DIR  the folder of the backup

Lake and machine
  --lake DIR            the lake (SHELFMARK_LAKE, or data/lake)
  --thin-below N        products seen in 90 days below which a shelf is thin (25)
  --memory-limit SIZE   DuckDB's memory (2GiB)
  --threads N           threads (all)
  --keep N              snapshots that stay in the lake (3)
  --dry-run             everything but publishing
  --all                 verify, backup, restore: every snapshot, not only the current one
  --json                the result as JSON
  --version             the version of this package
  --help, -h            this text

Exit codes: 0 done, 1 refused or not sound, 2 wrong usage, 3 internal failure. check: 0 where a row would be kept, even
with decisions to take, and 1 where none would.
`
