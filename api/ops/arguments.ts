import { type ParseArgsConfig, parseArgs } from 'node:util'
import { lowerFirst } from '../../engine/index.ts'
import { ConfigError } from './config.ts'

/** The options of a command line. Throws ConfigError for one that is unknown or lacks its value. */
export const readOptions = <O extends NonNullable<ParseArgsConfig['options']>>(args: readonly string[], options: O) => {
  try {
    return parseArgs({ args: [...args], options }).values
  } catch (error) {
    const [reason = ''] = (error as Error).message.replaceAll("'", '').split('. ')
    throw new ConfigError(`${lowerFirst(reason)}; --help lists the options`)
  }
}
