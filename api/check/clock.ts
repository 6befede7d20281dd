import { type Finding, failed, passed } from './finding.ts'

/** An offer is valid for a minute; a clock that is off by half of that is reported. */
const MAX_SKEW_SECONDS = 30
/** Every network produces a block every few seconds. */
const MAX_AGE_SECONDS = 120

/** Compares the clock of this machine with the time of a node's newest block. */
export const checkBlockTime = (setting: string, blockSeconds: number, now = Date.now()): Finding => {
  const age = Math.round(now / 1000 - blockSeconds)
  if (age < -MAX_SKEW_SECONDS)
    return failed(
      setting,
      `its newest block is ${-age} s in the future: the clock of this machine is slow; run an NTP client`,
    )
  if (age > MAX_AGE_SECONDS)
    return failed(
      setting,
      `its newest block is ${age} s old: set a node that is in sync, or correct this machine's clock if it is fast`,
    )
  return passed(setting, `its newest block is ${age} s old`)
}

/** Compares the clock of this machine with the Date header of a server. */
export const checkDate = (date: string | null, host: string, now = Date.now()): Finding[] => {
  const theirs = Date.parse(date ?? '')
  if (Number.isNaN(theirs)) return []
  const skew = Math.round((now - theirs) / 1000)
  const direction = skew > 0 ? 'ahead of' : 'behind'
  return [
    Math.abs(skew) > MAX_SKEW_SECONDS
      ? failed('clock', `this machine's clock is ${Math.abs(skew)} s ${direction} ${host}; run an NTP client`)
      : passed('clock', `agrees with ${host} within ${Math.abs(skew) + 1} s`),
  ]
}
