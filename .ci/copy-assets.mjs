// tsc leaves data behind: SQL, names and signs, examples of answers and the files of pages go beside the compiled modules that read them.
import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

for (const folder of ['engine', 'api', 'ingest', 'data/sample'])
  for (const file of readdirSync(folder, { recursive: true }))
    if (
      /\.sql$|^(check|feeds)\/.*\.json$|^(contract\/openapi-examples|show\/titles|show\/standalone\/meanings|show\/cli\/commands)\.json$|^pages\/.*\.(css|js|svg|png)$/.test(
        file,
      )
    )
      cpSync(join(folder, file), join('dist', folder, file))
