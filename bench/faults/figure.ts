/** The result of a figure. `held` is null if it could not be measured; `measured` then has the reason. */
export type Measured = {
  held: boolean | null
  measured: string
  /** Attempts, and those that missed the goal. */
  rounds: number
  losses: number
}

/** One line of the table of reliability figures. */
export type Figure = {
  number: number
  name: string
  what: string
  goal: string
  /** What it would not notice, in a sentence. */
  misses: string
  /** Attempts at full size and in the short form; null if other tests cover it in the short form. */
  full: number
  short: number | null
  /** About how long the full size takes on two cores. */
  minutes: number
  measure(rounds: number): Promise<Measured>
}

/** Counts attempts and losses, with the first reasons. */
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

/** Reports progress on standard error at about every tenth of the total. */
export const progress = (what: string, total: number): ((done: number) => void) => {
  const step = Math.max(1, Math.floor(total / 10))
  return (done) => {
    if (done % step === 0) console.error(`  ${what}: ${done.toLocaleString('en')} of ${total.toLocaleString('en')}`)
  }
}
