/**
 * Preloaded into the service, starts its clock at SHELFMARK_BENCH_NOW, since the lakes of the benchmarks end on a fixed day.
 * The clock runs, so that caches expire as in production. SIGUSR2 advances it by a minute.
 */
const MINUTE_MS = 60_000
const SystemDate = Date
let offset = SystemDate.parse(process.env.SHELFMARK_BENCH_NOW ?? '') - SystemDate.now()

class ShiftedDate extends SystemDate {
  constructor(...parts: [] | ConstructorParameters<typeof SystemDate>) {
    if (parts.length === 0) super(ShiftedDate.now())
    else super(...(parts as ConstructorParameters<typeof SystemDate>))
  }
  static override now(): number {
    return SystemDate.now() + offset
  }
}
globalThis.Date = ShiftedDate as DateConstructor
process.on('SIGUSR2', () => {
  offset += MINUTE_MS
})
