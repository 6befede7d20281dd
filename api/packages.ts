import { installLine } from '../engine/index.ts'
import { ConfigError } from './config.ts'

/**
 * Loads a module that needs optional packages, and where one is not installed throws ConfigError with what to do. `need`
 * is a setting and what of it needs them, such as `SHELFMARK_PAYMENTS: facilitator`; `instead` is what does without them.
 */
export const withPackages = async <T>(need: string, load: () => Promise<T>, instead = ''): Promise<T> => {
  try {
    return await load()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const [, name] = /^Cannot find (?:package|module) '([^']+)'/.exec(message) ?? []
    if (!code?.endsWith('MODULE_NOT_FOUND') || !name) throw error
    throw new ConfigError(
      `${need} needs the package ${name}, which is not installed: ${installLine(name)} installs it${instead && `; ${instead}`}`,
    )
  }
}
