/** A command line in parts: `given` holds a text per option, or all of them for a repeated one. */
export type Argv = { words: readonly string[]; given: Record<string, string | string[]> }

const truth = /^(true|false|1|0)$/i

/** `--time-window` and `--time_window` are one option. */
const optionName = (text: string): string => (text === '-h' ? 'help' : text.replace(/^-+/, '').replaceAll('-', '_'))

/**
 * Splits a command line into words and options: `--name value`, `--name=value`, and for a flag also a bare `--name`.
 * An option without a value is empty, to be refused where its name is known.
 */
export const readArgv = (argv: readonly string[], isFlag: (name: string) => boolean): Argv => {
  const words: string[] = []
  const given: Argv['given'] = Object.create(null)
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
    const before = given[name]
    given[name] = before === undefined ? value : [before, value].flat()
  }
  return { words, given }
}

const valueFrom = (rest: string[], isFlag: boolean): string => {
  const [next] = rest
  if (isFlag) return next !== undefined && truth.test(next) ? (rest.shift() ?? '') : 'true'
  return next === undefined || next.startsWith('--') ? '' : (rest.shift() ?? '')
}
