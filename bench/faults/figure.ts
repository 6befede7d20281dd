/** What a figure came to. `held` is null where it could not be measured; `measured` then says why. */
export type Measured = {
  held: boolean | null
  measured: string
  /** Attempts made, and those that went against the goal. */
  rounds: number
  losses: number
}

/** One line of the table of reliability figures. */
export type Figure = {
  number: number
  name: string
  what: string
  goal: string
  /** Attempts at full size, and in the short form; null where the short form leaves it to other tests. */
  full: number
  short: number | null
  /** About how long the full size takes on two cores. */
  minutes: number
  measure(rounds: number): Promise<Measured>
}

/** Attempts against a goal, and what went wrong, the first few in words. */
export class Tally {
  rounds = 0
  losses = 0
  readonly #reasons = new Map<string, number>()

  /** Counts an attempt; a reason makes it a loss. */
  count(...reasons: readonly (string | false | null | undefined)[]): void {
    this.rounds += 1
    const against = reasons.filter((reason) => typeof reason === 'string')
    if (against.length > 0) this.losses += 1
    for (const reason of against) this.#reasons.set(reason, (this.#reasons.get(reason) ?? 0) + 1)
  }

  measured(summary: string, isHeld = true): Measured {
    const { rounds, losses } = this
    const reasons = [...this.#reasons]
      .slice(0, 5)
      .map(([reason, times]) => (times > 1 ? `${reason} (${times} x)` : reason))
    return { rounds, losses, held: isHeld && losses === 0 && rounds > 0, measured: [summary, ...reasons].join('; ') }
  }
}

/** A figure that this machine cannot measure. */
export const skipped = (reason: string): Measured => ({
  held: null,
  measured: `skipped: ${reason}`,
  rounds: 0,
  losses: 0,
})

/** Says on standard error how far a figure is, now and then. */
export const progress = (what: string, total: number): ((done: number) => void) => {
  const step = Math.max(1, Math.floor(total / 10))
  return (done) => {
    if (done % step === 0) console.error(`  ${what}: ${done.toLocaleString('en')} of ${total.toLocaleString('en')}`)
  }
}
