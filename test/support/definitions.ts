import { type AnyQuery, answerFields, paramFields, withInner } from '../../engine/index.ts'

const PARTS = ['population', 'formula', 'null_rule', 'sources'] as const
const MIN_LETTERS = 20
const FILLERS = ['a', 'an', 'the', 'of', 'is', 'its', 'this', 'that', 'in', 'and', 'value', 'field', 'number']

const isSentence = (text: string): boolean => /^\S.*[.:]$/s.test(text)

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[a-z0-9]+/g) ?? []

/** What is checked of a parameter or field. */
type Described = { path: string; type: string } & Partial<Record<'unit' | 'description' | 'title', string | undefined>>

/** Whether a description has no word that its field's name has not. */
const onlyRepeats = ({ path, description = '' }: Described): boolean => {
  const obvious = new Set([...wordsOf(path), ...FILLERS])
  return wordsOf(description).every((word) => obvious.has(word) || obvious.has(word.replace(/s$/, '')))
}

const faultOf = (field: Described): string | null => {
  if (!field.description) return 'has no description'
  if (!isSentence(field.description)) return `is not described in a sentence: ${field.description}`
  if (onlyRepeats(field)) return `has a description that only repeats its name: ${field.description}`
  if (field.title !== undefined && !/^[A-Z0-9]/.test(field.title)) return `has no title: ${field.title}`
  return ['integer', 'number'].includes(field.type) && field.unit === undefined ? 'has no unit' : null
}

/** What a query leaves undefined, as `path: fault`; empty where everything has its meaning. */
export const faultsOf = (query: Pick<AnyQuery, 'definition' | 'params' | 'answer'>): string[] => {
  const definition = (query.definition ?? {}) as Partial<AnyQuery['definition']>
  const missing = PARTS.filter((part) => {
    const texts = [definition[part] ?? []].flat()
    return texts.length === 0 || texts.some((text) => text.length < MIN_LETTERS || !isSentence(text))
  })
  const fields: Described[] = [
    ...paramFields(query).map(({ name, type = '', ...param }) => ({ ...param, path: name, type })),
    ...withInner(answerFields(query)).map((field) => ({ ...field, type: field.kind })),
  ]
  return [
    ...missing.map((part) => `definition.${part}: is missing or no sentence`),
    ...fields.flatMap((field) => faultOf(field)?.replace(/^/, `${field.path}: `) ?? []),
  ]
}
