import type { Granularity } from '../../contract/window.ts'
import { textOf, type ValueField } from '../text.ts'

type OptionalFigure = number | null | undefined

const style = { currency: undefined, face: 'typeset' } as const

const formatOf =
  (field: Omit<ValueField, 'kind'>, hasUnit = true) =>
  (value: OptionalFigure, decimals?: number): string =>
    textOf(value, { kind: 'number', ...field }, { ...style, hasUnit, decimals })

/** A change such as +2.71%. */
export const change = formatOf({ unit: 'percent', isSigned: true })
/** A share such as 10.70%. */
export const share = formatOf({ unit: 'percent' })
export const index = formatOf({ unit: 'index' })
/** A change such as +0.25 where its unit is said elsewhere. */
export const signed = formatOf({ unit: 'percent', isSigned: true }, false)

/** An amount such as $32.45 or C$32.45; by default with the decimals that it has. */
export const money =
  (currency: string, decimals?: number) =>
  (value: OptionalFigure): string =>
    textOf(value, { kind: 'number', unit: 'money' }, { ...style, currency, hasUnit: true, decimals })

/** Texts side by side; undefined without any. */
export const listed = (texts: readonly string[]): string | undefined => texts.join(', ') || undefined

/** What a period is called. */
export const periodNoun: Record<Granularity, string> = { daily: 'day', weekly: 'week', monthly: 'month' }
