import { installLine } from '../../engine/index.ts'
import { ConfigError } from './config.ts'

/**
 * Loads a module that needs optional packages; throws ConfigError with advice if one is not installed. `need` is the
 * setting that needs them, such as `SHELFMARK_PAYMENTS: facilitator`; `alternative` says how to do without them.
 */
export const withPackages = async <T>(need: string, load: () => Promise<T>, alternative = ''): Promise<T> => {
  try {
    return await load()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const [, name] = /^Cannot find (?:package|module) '([^']+)'/.exec(message) ?? []
    if (!code?.endsWith('MODULE_NOT_FOUND') || !name) throw error
    throw new ConfigError(
      `${need} needs the package ${name}, which is not installed: ${installLine(name)} installs it${alternative && `; ${alternative}`}`,
    )
  }
}
