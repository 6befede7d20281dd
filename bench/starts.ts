import { execFileSync, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { median } from './quantile.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const MAIN = 'dist/engine/main.js'

/** The commands, and how much longer than Node alone each may take. */
const COMMANDS: readonly [args: string, limit: number | null][] = [
  ['--version', 2],
  ['--help', 4],
  ['analyst --help', 4],
  ['analyst inflation --help', null],
]

const millisecondsOf = (args: readonly string[]): number => {
  const begin = performance.now()
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`node ${args.join(' ')}: ${stderr}`)
  return performance.now() - begin
}

/** Wall time of starting the compiled command for what needs no lake, beside Node alone, in turn. */
export const benchStarts = async (runs: number) => {
  execFileSync('npm', ['run', '-s', 'build'], { cwd: root, stdio: 'inherit' })
  const node: number[] = []
  const times = COMMANDS.map((): number[] => [])
  for (let run = 0; run < runs; run += 1) {
    node.push(millisecondsOf(['-e', '0']))
    for (const [i, [args]] of COMMANDS.entries()) times[i]!.push(millisecondsOf([MAIN, ...args.split(' ')]))
  }
  const floor = median(node)
  return COMMANDS.map(([args, limit], i) => {
    const wall_ms = median(times[i]!)
    const ratio = wall_ms / floor
    return {
      command: `shelfmark ${args}`,
      wall_ms,
      node_ms: floor,
      ratio,
      limit,
      within: limit === null ? '' : ratio <= limit,
    }
  })
}
