import { field } from './field.ts'

export const granularity = field.choice(['daily', 'weekly', 'monthly'], 'Length of a period; weeks are ISO weeks.')
