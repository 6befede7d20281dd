import { median } from './quantile.ts'

/** Medians of the wall time and of the CPU time of all threads of the process, in milliseconds. */
export type MedianTimes = { wall_ms: number; cpu_ms: number }

const WARM_UP = 2
const MIN_RUNS = 5
const BUDGET_MS = 6000

/** CPU milliseconds of all threads of this process. */
export const processCpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** What is measured, and the CPU time of the process that runs it. */
export type Variant = { run: () => Promise<unknown>; cpuMs: () => number }

/**
 * Measures variants in turn, so that other load on the machine affects all of them: at most `runs` times each, and after six
 * seconds only until each has run five times.
 */
export const alternate = async <Name extends string>(
  variants: Record<Name, Variant>,
  runs: number,
): Promise<Record<Name, MedianTimes>> => {
  const names = Object.keys(variants) as Name[]
  const walls = new Map(names.map((name) => [name, [] as number[]]))
  const cpus = new Map(names.map((name) => [name, [] as number[]]))
  for (let run = 0; run < WARM_UP; run++) for (const name of names) await variants[name].run()
  const begun = performance.now()
  for (let run = 0; run < runs && (run < MIN_RUNS || performance.now() - begun < BUDGET_MS); run++)
    for (const name of names) {
      const cpu = variants[name].cpuMs()
      const start = performance.now()
      await variants[name].run()
      walls.get(name)!.push(performance.now() - start)
      cpus.get(name)!.push(variants[name].cpuMs() - cpu)
    }
  const entries = names.map((name) => [name, { wall_ms: median(walls.get(name)!), cpu_ms: median(cpus.get(name)!) }])
  return Object.fromEntries(entries)
}
