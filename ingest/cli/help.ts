import { commandLine } from '../../engine/contract/program.ts'

const refresh = (args: string): string => commandLine('refresh', args)

export const HELP = `Turns feeds into the next snapshot of a lake, and maintains the snapshots of a lake.

${refresh('--feeds DIR [options]')}
    read feeds, publish a snapshot
${refresh('check FILE... [--platform P] [--country C] [--yes] [--mapping FILE] [--feeds DIR]')}
    propose a mapping for files, or test the given ones, and report every column and what a refresh would read and
    refuse; FILE may be a folder; needs no lake. --platform and --country say what no column has. On a terminal it asks
    what else the files do not say, and writes mapping.json; --yes takes the defaults
${refresh('quality')}
    the observations of the last refresh, by retailer, country and month
${refresh('withdraw --platform P [--country C] [--from D] [--to D]')}
    publish a snapshot without these rows
${refresh('upgrade')}
    publish the snapshot of an earlier release again, in the format of this one
${refresh('snapshots | verify | rollback [ID] | prune')}
    the snapshots of the lake
${refresh('impact [BEFORE [AFTER]] [--as-of TIME] [--country C]')}
    which published figures differ between two snapshots, by default the published one and the one before it
${refresh('verify --repair [--from DIR|STORE]')}
    restore damaged files by their hash, from other snapshots of the lake, and from a backup or a store
${refresh('backup [ID] --to DIR')}
    copy the published snapshot, or ID, to a backup, which is also a lake
${refresh('restore [ID] --from DIR')}
    copy it back into the lake, replacing a damaged one, and publish it
${refresh('push [ID] --to STORE')}
    send the published snapshot, or ID, to a store, which is a folder or s3://BUCKET/PREFIX: what it lacks
${refresh('pull --from STORE [--without-facts]')}
    fetch the snapshot of a store, and publish it: what the lake lacks; without facts, all but observed prices, which a
    service does not need whose cluster has them
${refresh('load [--from STORE] --to clickhouse://USER:PASSWORD@HOST:PORT,... [--cluster NAME]')}
    load the snapshot of a store into a ClickHouse cluster: each node pulls its shard, unless it has it. Without --from the
    published one of the lake, whose folder the nodes must be able to read
${refresh('iceberg [--at URI]')}
    write metadata of Apache Iceberg for the tables of the published snapshot, into the lake (data/iceberg.md)

Reading
  --feeds DIR           a sub-folder for each feed (data/README.md)
  --mapping FILE        describes a folder of files in another format (data/mappings); may be repeated
  --release LABEL       the label of a GPC release whose file name does not contain it, such as v20251127
  --as-of TIME          the time of the refresh (now); rows observed more than a day later are refused. impact: the moment of
                        the figures (after the last day of prices in BEFORE)
  --reissue-indexes     publish all months of price indexes again, by the prices of today: after an error in what they were
                        published by. Otherwise no published month changes (data/reference.md)

Limits; if one is exceeded, nothing is published
  --max-quarantine N    share of a file's rows that may be refused (0.01)
  --max-drop N          share of serving shelves, observations, or a retailer's rows of a month that may be lost; 1
                        allows any loss (0.5)
  --accept RETAILER     publish this retailer's rows without checking their prices and number; may be repeated

Withdrawing
  --platform P, --country C, --from DATE, --to DATE     the rows to withdraw; --to is exclusive

Backups (ingest/snapshot/README.md), stores (api/operations/replicas.md) and clusters (api/operations/cluster.md)
  --to DIR, --from DIR  the folder of the backup, or the store. S3 takes its keys and address from AWS_ACCESS_KEY_ID,
                        AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION and AWS_ENDPOINT_URL
  --to clickhouse://... load: all nodes by their HTTP ports; clickhouses:// for HTTPS
  --cluster NAME        load: the cluster in the configuration of the nodes (remote_servers); not for a single node

Iceberg (data/iceberg.md)
  --at URI              where readers find the lake, such as s3://BUCKET/LAKE (file:// and the lake's folder)

Lake and machine
  --lake DIR            the lake (SHELFMARK_LAKE, or data/lake)
  --thin-below N        products seen in 90 days below which a shelf is thin (25)
  --memory-limit SIZE   DuckDB's memory (2GiB)
  --threads N           threads (all; 1 for less than 8 MiB of input)
  --keep N              snapshots to keep in the lake (3); also for pull
  --dry-run             everything but publishing
  --all                 verify, backup, restore: every snapshot, not only the current one
  --yes                 check: write the mapping with the default answers
  --json                the result as JSON
  --version             the version of this package
  --help, -h            this text

Exit codes: 0 done, 1 refused or damaged, 2 wrong usage, 3 internal failure. check: 0 if any row would be kept, even with
open decisions, else 1.
`
