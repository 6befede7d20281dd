import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readArgv } from '../../../../engine/show/cli/argv.ts'

const read = (...argv: string[]) => readArgv(argv, (name) => name === 'json' || name === 'strict')

describe('readArgv', () => {
  it('reads words and options in any order', () => {
    expect(read('--lake', 'data/lake', 'analyst', '--category=ground coffee', 'inflation')).toEqual({
      words: ['analyst', 'inflation'],
      options: { lake: 'data/lake', category: 'ground coffee' },
    })
  })

  it('reads a flag with or without a truth value and leaves other words alone', () => {
    expect(read('--json', 'analyst', '--strict', 'FALSE')).toEqual({
      words: ['analyst'],
      options: { json: 'true', strict: 'FALSE' },
    })
    expect(read('--strict', '--json=0').options).toEqual({ strict: 'true', json: '0' })
  })

  it('recognises an option with dashes or underscores', () => {
    expect(read('--time-window', 'custom', '--as_of', '2026-11-01').options).toEqual({
      time_window: 'custom',
      as_of: '2026-11-01',
    })
    expect(readArgv(['-h'], (name) => name === 'help').options).toEqual({ help: 'true' })
  })

  it('keeps every value of a repeated option', () => {
    expect(read('--q', 'a', '--q=b', '--q', 'c').options).toEqual({ q: ['a', 'b', 'c'] })
  })

  it('keeps unusual values: negative, empty, with an equals sign or a line break', () => {
    expect(read('--sort', '-price', '--q=', '--brand', 'a=b\nc').options).toEqual({
      sort: '-price',
      q: '',
      brand: 'a=b\nc',
    })
    expect(read('--brand=a=b\nc').options).toEqual({ brand: 'a=b\nc' })
  })

  it('reads an option without a value as empty', () => {
    expect(read('--category', '--lake').options).toEqual({ category: '', lake: '' })
  })

  it('reads names of Object.prototype as ordinary options', () => {
    expect(Object.entries(read('--constructor', 'a', '--__proto__', 'b').options)).toEqual([
      ['constructor', 'a'],
      ['__proto__', 'b'],
    ])
  })

  it('reads back what was written as --name=value', () => {
    const name = fc.stringMatching(/^[a-z][a-z_]{0,8}$/)
    fc.assert(
      fc.property(fc.dictionary(name, fc.string()), (options) => {
        const argv = Object.entries(options).map(([name, value]) => `--${name}=${value}`)
        expect({ ...readArgv(argv, () => false).options }).toEqual({ ...options })
      }),
    )
  })
})
