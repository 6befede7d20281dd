import { type Finding, fails, fits } from './finding.ts'

/** A payment may be made for a minute: half of that is too much to be wrong by. */
const MAX_SKEW_SECONDS = 30
/** Every network has a block every few seconds. */
const MAX_AGE_SECONDS = 120

/** The clock of this machine against the time of a node's newest block. */
export const checkBlockTime = (setting: string, blockSeconds: number, now = Date.now()): Finding => {
  const age = Math.round(now / 1000 - blockSeconds)
  if (age < -MAX_SKEW_SECONDS)
    return fails(
      setting,
      `its newest block is ${-age} s in the future: the clock of this machine is slow; run an NTP client`,
    )
  if (age > MAX_AGE_SECONDS)
    return fails(
      setting,
      `its newest block is ${age} s old: send a node that keeps up, unless this machine's clock is fast`,
    )
  return fits(setting, `its newest block is ${age} s old`)
}

/** The clock of this machine against the Date that a server sends. */
export const checkDate = (date: string | null, host: string, now = Date.now()): Finding[] => {
  const theirs = Date.parse(date ?? '')
  if (Number.isNaN(theirs)) return []
  const skew = Math.round((now - theirs) / 1000)
  const direction = skew > 0 ? 'ahead of' : 'behind'
  return [
    Math.abs(skew) > MAX_SKEW_SECONDS
      ? fails('clock', `this machine's clock is ${Math.abs(skew)} s ${direction} that of ${host}; run an NTP client`)
      : fits('clock', `agrees with ${host} within ${Math.abs(skew) + 1} s`),
  ]
}
