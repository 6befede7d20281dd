import { expect, test } from 'vitest'
import { cellWidth, padCellsEnd, padCellsStart, splitCells, truncateCells } from '../../../../engine/show/cli/cells.ts'

test('letters take the cells that a terminal gives them', () => {
  expect(cellWidth('Coffee')).toBe(6)
  expect(cellWidth('Łomza Café')).toBe(10)
  expect(cellWidth('Cafe\u0301')).toBe(4)
  expect(cellWidth('コーヒー')).toBe(8)
  expect(cellWidth('ＡＢ')).toBe(4)
  expect(cellWidth('☕🙂')).toBe(4)
  expect(cellWidth('👩‍👩‍👧‍👦')).toBe(2)
})

test('texts are padded and cut by cells, never within a letter', () => {
  expect(padCellsEnd('茶', 4)).toBe('茶  ')
  expect(padCellsStart('茶', 4)).toBe('  茶')
  expect(padCellsEnd('too long', 4)).toBe('too long')
  expect(truncateCells('日本茶', 6)).toBe('日本茶')
  expect(truncateCells('日本茶', 5)).toBe('日本…')
  expect(truncateCells('日本茶', 4)).toBe('日…')
  expect(splitCells('e\u0301e\u0301e', 2)).toEqual(['e\u0301e\u0301', 'e'])
  expect(splitCells('abc\u0301d', 3)).toEqual(['abc\u0301', 'd'])
})
