// A process that publishes the second snapshot of each LAKE..., and says a line a lake: its id, or why not.
import { publishNth } from './small-lake.ts'

for (const lake of process.argv.slice(2)) {
  const said = await publishNth(lake, 2).then(
    (manifest) => manifest.snapshot_id,
    (cause: Error) => cause.message,
  )
  process.stdout.write(`${said}\n`)
}
