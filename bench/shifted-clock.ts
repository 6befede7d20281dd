/**
 * Loaded before the service, starts its clock at SHELFMARK_BENCH_NOW, from where it runs: the lakes of the bench end on a
 * fixed day, and a clock that stands still would hide what ends with the minute. SIGUSR2 puts it a minute forward.
 */
const MINUTE_MS = 60_000
const SystemDate = Date
let ahead = SystemDate.parse(process.env.SHELFMARK_BENCH_NOW ?? '') - SystemDate.now()

class ShiftedDate extends SystemDate {
  constructor(...parts: [] | ConstructorParameters<typeof SystemDate>) {
    if (parts.length === 0) super(ShiftedDate.now())
    else super(...(parts as ConstructorParameters<typeof SystemDate>))
  }
  static override now(): number {
    return SystemDate.now() + ahead
  }
}
globalThis.Date = ShiftedDate as DateConstructor
process.on('SIGUSR2', () => {
  ahead += MINUTE_MS
})
