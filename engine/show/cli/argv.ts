/** A parsed command line: positional words, and the value of each option or all values of a repeated one. */
export type Argv = { words: readonly string[]; options: Record<string, string | string[]> }

const truth = /^(true|false|1|0)$/i

/** The name of an option in snake case: `--time-window` and `--time_window` are equivalent. */
const optionName = (text: string): string => (text === '-h' ? 'help' : text.replace(/^-+/, '').replaceAll('-', '_'))

/**
 * Splits a command line into words and options: `--name value`, `--name=value`, and for a flag also a bare `--name`.
 * The value of an option without one is empty; the caller refuses it.
 */
export const readArgv = (argv: readonly string[], isFlag: (name: string) => boolean): Argv => {
  const words: string[] = []
  const options: Argv['options'] = Object.create(null)
  const rest = [...argv]
  for (let text = rest.shift(); text !== undefined; text = rest.shift()) {
    if (text === '--') continue
    if (!/^-./.test(text)) {
      words.push(text)
      continue
    }
    const [, option = text, inline] = /^(.+?)=(.*)$/s.exec(text) ?? []
    const name = optionName(option)
    const value = inline ?? valueFrom(rest, isFlag(name))
    const previous = options[name]
    options[name] = previous === undefined ? value : [previous, value].flat()
  }
  return { words, options }
}

const valueFrom = (rest: string[], isFlag: boolean): string => {
  const [next] = rest
  if (isFlag) return next !== undefined && truth.test(next) ? (rest.shift() ?? '') : 'true'
  return next === undefined || next.startsWith('--') ? '' : (rest.shift() ?? '')
}
