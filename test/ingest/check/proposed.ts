import type { DuckDBConnection } from '@duckdb/node-api'
import { type Proposal, proposeMapping } from '../../../ingest/check/propose/propose.ts'
import type { SampledFile } from '../../../ingest/check/read/sample.ts'
import { checkExpression } from '../../../ingest/feeds/expression.ts'

/** A proposal, after checking that a mapping may have each of its expressions. */
export const proposeChecked = async (
  connection: DuckDBConnection,
  files: readonly SampledFile[],
): Promise<Proposal> => {
  const proposal = proposeMapping(files)
  const names = files.flatMap(({ columns }) => columns.map(({ name, sql }) => (sql ? name.split('.')[0]! : name)))
  for (const { columns = {}, unpivot } of Object.values(proposal.mapping))
    for (const [where, source] of Object.entries(columns))
      if (typeof source === 'object' && 'sql' in source)
        await checkExpression(connection, source.sql, {
          where,
          columns: [...names, ...(unpivot ? [unpivot.name_to] : [])],
        })
  return proposal
}
