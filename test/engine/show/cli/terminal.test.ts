import { describe, expect, it } from 'vitest'
import { inCommands, labelled, styleOf, withNotice, wrap } from '../../../../engine/show/cli/terminal.ts'

describe('styleOf', () => {
  it('adds colours only where the terminal has them', () => {
    expect(styleOf({ hasColours: false }).bold('a')).toBe('a')
    expect(styleOf({ hasColours: true }).bold('a')).toBe('\x1b[1ma\x1b[22m')
    expect(styleOf({ hasColours: true }).plot('')).toBe('')
  })
})

describe('inCommands', () => {
  it('replaces endpoints by commands', () => {
    expect(inCommands('In any case. the query public/retailers lists them.')).toBe(
      'In any case. `npm run -s shelfmark -- public retailers` lists them.',
    )
  })
})

describe('wrap', () => {
  it('breaks lines between words or between the given pieces', () => {
    expect(wrap('one two three', 7)).toEqual(['one two', 'three'])
    expect(wrap(['one 1 ·', 'two 2 ·', 'three 3'], 15)).toEqual(['one 1 · two 2 ·', 'three 3'])
    expect(wrap('unbreakable it is', 5)).toEqual(['unbre', 'akabl', 'e it', 'is'])
  })
})

describe('labelled', () => {
  it('puts a text next to its label, or below a long label', () => {
    expect(labelled('--days N', 'Days to look back at.', 10, 34)).toEqual(['--days N  Days to look back at.'])
    expect(labelled('--days N', 'The last N days, today not counted.', 10, 34)).toEqual([
      '--days N  The last N days, today',
      '          not counted.',
    ])
    expect(labelled('--granularity', 'Length.', 10, 34)).toEqual(['--granularity', '          Length.'])
  })
})

describe('withNotice', () => {
  it('prints a notice on a terminal while a slow operation runs, then clears it', async () => {
    const written: string[] = []
    let finish = (_: number) => {}
    const slow = new Promise<number>((resolve) => {
      finish = resolve
    })
    const write = (text: string | Uint8Array) => {
      written.push(String(text))
      finish(1)
    }
    expect(await withNotice(slow, 'Opening ...', { isTerminal: true, write }, 0)).toBe(1)
    expect(written).toEqual(['Opening ...', '\r\x1b[K'])
  })

  it('prints nothing where there is no terminal or the operation is quick', async () => {
    const write = () => expect.unreachable()
    expect(await withNotice(Promise.resolve(1), 'x', { isTerminal: true, write })).toBe(1)
    await expect(withNotice(Promise.reject(new Error('no')), 'x', { isTerminal: true, write })).rejects.toThrow('no')
    expect(await withNotice(Promise.resolve(1), 'x', { isTerminal: false, write }, 0)).toBe(1)
  })
})
