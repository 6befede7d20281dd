// node.mjs CONFIG: one ClickHouse node in this process, from the library of npm's chdb, as `clickhouse local` with its HTTP
// and TCP interfaces on. It ends with the process that started it, however that ends.
import { DataType, load, open } from 'ffi-rs'

const started_by = process.ppid
const [config] = process.argv.slice(2)
const PR_SET_PDEATHSIG = 1
const SIGKILL = 9
open({ library: 'c', path: 'libc.so.6' })
const { I32, U64, External, StringArray } = DataType
load({
  library: 'c',
  funcName: 'prctl',
  retType: I32,
  paramsType: [I32, U64],
  paramsValue: [PR_SET_PDEATHSIG, SIGKILL],
})
// It may have ended before the kernel knew.
if (process.ppid !== started_by) process.exit(1)

open({ library: 'chdb', path: new URL(import.meta.resolve('@chdb/lib-linux-x64-gnu/libchdb.so')).pathname })
// A statement without end: the process serves as long as it runs.
const SERVE = `SYSTEM START LISTEN TCP; SYSTEM START LISTEN HTTP; SELECT sleepEachRow(3) FROM system.numbers
  SETTINGS function_sleep_max_microseconds_per_block = 0, max_block_size = 1 FORMAT Null`
const args = ['clickhouse', '--config-file', config, '--query', SERVE]
load({
  library: 'chdb',
  funcName: 'chdb_query_cmdline',
  retType: External,
  paramsType: [I32, StringArray],
  paramsValue: [args.length, args],
})
