/** Languages whose names of months are read. */
const LANGUAGES =
  'en fr de es pt it nl sv da nb fi pl cs sk hu ro el tr ru uk bg hr sl sr lt lv et az id ms vi th hi ar he fa'.split(
    ' ',
  )

const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}]/gu, '')

/** The names of the months in a language, whole or short, alone or as a date with a day has them. */
export const monthsOf = (language: string, form: 'long' | 'short', isWithDay: boolean): string[] => {
  const format = new Intl.DateTimeFormat(`${language}-u-ca-gregory`, {
    month: form,
    timeZone: 'UTC',
    ...(isWithDay ? { day: 'numeric' } : {}),
  })
  return Array.from({ length: 12 }, (_, index) => {
    const parts = format.formatToParts(new Date(Date.UTC(2000, index, 1)))
    return parts.find(({ type }) => type === 'month')?.value ?? ''
  })
}

let months: Map<string, number> | undefined

/** Names of months in all languages; of a name with two meanings the one of the earlier language. */
const monthNames = (): Map<string, number> => {
  if (months) return months
  months = new Map()
  for (const language of LANGUAGES)
    for (const form of ['long', 'short'] as const)
      for (const isWithDay of [false, true])
        for (const [index, name] of monthsOf(language, form, isWithDay).map(fold).entries())
          if (name.length > 2 && !months.has(name)) months.set(name, index + 1)
  return months
}

/** The number of a month by its name, whole or short, in any of these languages; 0 for another word. */
export const monthOf = (name: string): number => monthNames().get(fold(name)) ?? 0
