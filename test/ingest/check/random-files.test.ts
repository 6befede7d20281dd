import fc from 'fast-check'
import { expect, test } from 'vitest'
import { proposeMapping } from '../../../ingest/check/propose/propose.ts'
import { randomFile } from './random-files.ts'

test('a proposal does not depend on the order of columns, the language of their names or how prices are written', () => {
  fc.assert(
    fc.property(randomFile, ({ file, names, says }) => {
      const { mapping } = proposeMapping([file])
      const { columns = {}, constants, files, notes, ...description } = mapping.price_observations!
      const read = Object.entries(names).map(([role, name]) => [role, columns[role as 'price'] ?? name])
      expect(Object.fromEntries(read)).toEqual(names)
      expect(Object.keys(columns).filter((column) => !(column in names))).toEqual([])
      expect(description).toEqual(says)
    }),
    { numRuns: 60 },
  )
})

test('a proposal is the same for the same file', () => {
  fc.assert(
    fc.property(randomFile, ({ file }) => {
      const again = { ...file, columns: file.columns.map((column) => ({ ...column, values: [...column.values] })) }
      expect(proposeMapping([again])).toEqual(proposeMapping([file]))
    }),
    { numRuns: 15 },
  )
})
