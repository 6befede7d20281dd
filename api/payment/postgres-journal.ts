import type { Journal } from './journal.ts'

export const openPostgresJournal = async (_url: string): Promise<Journal> => {
  throw new Error('not yet')
}
