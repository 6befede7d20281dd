/** The result of checking a setting; `is_ok` is null for advice, and if it could not be checked. */
export type Finding = { setting: string; is_ok: boolean | null; message: string }

export const passed = (setting: string, message: string): Finding => ({ setting, is_ok: true, message })
/** The message of a failed check says how to fix it. */
export const failed = (setting: string, message: string): Finding => ({ setting, is_ok: false, message })
/** The failed check of advice that begins with the name of its setting. */
export const findingOf = (advice: string): Finding => {
  const [name = '', ...rest] = advice.split(': ')
  return failed(name, rest.join(': '))
}
export const skipped = (setting: string, message: string): Finding => ({ setting, is_ok: null, message })

/** The host of an address; the rest of it may contain a key. */
export const hostOf = (address: string): string => new URL(address).host
