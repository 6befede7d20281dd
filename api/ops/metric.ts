import { Counter, Gauge, type Registry } from 'prom-client'

/** Histogram buckets, from half a millisecond for cached answers to what payment networks may take. */
export const BUCKETS_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** A value with its labels; those of equal labels are added up. */
type ReadValue = readonly [value: number, labels?: Readonly<Record<string, string>>]

/** A metric that is read whenever it is rendered; a counter if its name ends in `_total`, else a gauge. */
type ReadMetric = {
  name: string
  help: string
  labelNames?: string[]
  read(): readonly ReadValue[] | Promise<readonly ReadValue[]>
}

/** Registers metrics that are read whenever they are rendered. */
export const addMetrics = (registry: Registry, metrics: readonly ReadMetric[]): void => {
  for (const { name, help, labelNames = [], read } of metrics) {
    const collect = async (): Promise<void> => {
      metric.reset()
      for (const [value, labels = {}] of await read()) metric.inc(labels, value)
    }
    const described = { name, help, labelNames, registers: [registry], collect }
    const metric = name.endsWith('_total') ? new Counter(described) : new Gauge(described)
  }
}
