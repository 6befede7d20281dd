import { withPackages } from '../ops/packages.ts'
import type { Connect } from './connect.ts'

/** The official client of each network, loaded when it is needed. */
export const clients: Readonly<Record<'base' | 'solana' | 'tempo', Connect>> = {
  base: async (...given) => (await withPackages('pay', () => import('./base.ts'))).connect(...given),
  solana: async (...given) => (await withPackages('pay', () => import('./solana.ts'))).connect(...given),
  tempo: async (...given) => (await withPackages('pay', () => import('./tempo.ts'))).connect(...given),
}
