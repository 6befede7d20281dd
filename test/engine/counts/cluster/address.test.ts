import { describe, expect, test } from 'vitest'
import { addressToCopy, readClusterAddress } from '../../../../engine/counts/cluster/address.ts'
import { databaseOf } from '../../../../engine/counts/cluster/shard.ts'

describe('the address of a cluster', () => {
  test('has nodes in order, with the ports of ClickHouse unless named, and credentials', () => {
    expect(readClusterAddress('clickhouse://reader:p%40ss%3A@db1,DB2:9000, [::1]:8123/')).toEqual({
      nodes: ['http://db1:8123', 'http://db2:9000', 'http://[::1]:8123'],
      user: 'reader',
      password: 'p@ss:',
    })
    expect(readClusterAddress('clickhouses://db1')).toEqual({
      nodes: ['https://db1:8443'],
      user: 'default',
      password: '',
    })
  })

  test.each([
    ['', 'no address'],
    ['duckdb', 'no address'],
    ['http://db1', 'another scheme'],
    ['clickhouse://', 'no node'],
    ['clickhouse://db1,', 'an empty node'],
    ['clickhouse://db1:8123,db1', 'a node twice'],
    ['clickhouse://db1:port', 'no port'],
    ['clickhouse://db1:99999', 'a port that is too large'],
    ['clickhouse://db1/database', 'a path'],
    ['clickhouse://reader:p@ss@db1', 'a password that is not encoded'],
    ['clickhouse://reader:50%@db1', 'malformed percent-encoding'],
  ])('%s is refused: %s', (text) => {
    expect(() => readClusterAddress(text)).toThrow(/^expected clickhouse:\/\/USER:PASSWORD@HOST:8123,HOST2:8123/)
  })

  test('is printed without credentials', () => {
    expect(addressToCopy(readClusterAddress('clickhouses://reader:canary@db1,db2').nodes)).toBe(
      'clickhouses://USER:PASSWORD@db1:8443,db2:8443',
    )
  })
})

test('the database of a snapshot has its name', () => {
  expect(databaseOf('000003-1f2e3d4c')).toBe('shelfmark_v5_000003_1f2e3d4c')
})
