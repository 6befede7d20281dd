import { toMoney } from '../../engine/contract/round.ts'

/** Turns stored prices of us and ca into amounts. */
export const money = toMoney(100)
