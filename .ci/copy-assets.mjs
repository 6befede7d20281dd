// tsc leaves SQL behind: every .sql file goes beside the compiled module that reads it.
import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

for (const folder of ['engine', 'api', 'ingest', 'data/sample'])
  for (const file of readdirSync(folder, { recursive: true }))
    if (file.endsWith('.sql')) cpSync(join(folder, file), join('dist', folder, file))
