import { field } from './field.ts'

export const granularity = field.choice(['daily', 'weekly', 'monthly'], 'Length of a period; weeks are ISO weeks.')

/** A window of more days is divided into months, unless a granularity is sent. */
export const MAX_WEEKLY_DAYS = 45
