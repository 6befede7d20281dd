import type { Files, Prepared, SqlColumns, Values } from './sql.ts'

/**
 * The best hand-written SQL for one query: it reads the very files that it needs, with literal values, nothing optional
 * and nothing checked, and is finished by a few lines where that is faster than SQL.
 */
export type Floor = {
  /** Statements that do not wait for each other. */
  statements: (files: Files, values: Values) => string[]
  /** Statements that need a result of the first ones, by `$name` placeholders. */
  second?: (files: Files, values: Values) => string[]
  /** The answer's figures: a part of the answer, of the same shape, rounded as it is. */
  figures: (results: SqlColumns[], values: Values, second: Prepared) => object | Promise<object>
}

/** Where figures are not those of an answer, as paths; none where they are. */
export const differences = (figures: unknown, answer: unknown, path = ''): string[] => {
  if (typeof figures !== 'object' || figures === null)
    return figures === answer ? [] : [`${path}: ${figures} by hand, ${answer} by the engine`]
  if (typeof answer !== 'object' || answer === null) return [`${path}: ${answer} by the engine`]
  if (Array.isArray(figures) && figures.length !== (answer as unknown[]).length)
    return [`${path}: ${figures.length} entries by hand, ${(answer as unknown[]).length} by the engine`]
  return Object.entries(figures).flatMap(([key, value]) =>
    differences(value, (answer as Record<string, unknown>)[key], path === '' ? key : `${path}.${key}`),
  )
}
