/** What trying a setting found: it fits, it does not, or (null) it could not be tried. */
export type Finding = { setting: string; is_ok: boolean | null; message: string }

export const fits = (setting: string, message: string): Finding => ({ setting, is_ok: true, message })
/** The message of a failed check says how to fix it. */
export const fails = (setting: string, message: string): Finding => ({ setting, is_ok: false, message })
export const untried = (setting: string, message: string): Finding => ({ setting, is_ok: null, message })

/** The host of an address, without what in it may be a key. */
export const hostOf = (address: string): string => new URL(address).host
