import { type Address, bytesToHex, type Hex, hexToBytes, recoverAddress } from 'viem'
import { publicKeyToAddress } from 'viem/utils'

/** Compiled, and thus seven times as fast; without this optional package viem does it. */
const compiled = await import('tiny-secp256k1').catch(() => null)

const SIGNATURE_LENGTH = 65
/** The parities of a signature's point, as wallets write them. */
const PARITIES: Readonly<Record<number, 0 | 1>> = { 0: 0, 1: 1, 27: 0, 28: 1 }

/** The account whose key signed a hash; null if the signature is not of that kind. */
export const signerOf = async (hash: Hex, signature: Hex): Promise<Address | null> => {
  const bytes = hexToBytes(signature)
  const parity = PARITIES[bytes[SIGNATURE_LENGTH - 1] ?? -1]
  if (bytes.length !== SIGNATURE_LENGTH || parity === undefined) return null
  if (!compiled) return recoverAddress({ hash, signature }).catch(() => null)
  try {
    const key = compiled.recover(hexToBytes(hash), bytes.subarray(0, -1), parity, false)
    return key && publicKeyToAddress(bytesToHex(key))
  } catch {
    return null
  }
}
