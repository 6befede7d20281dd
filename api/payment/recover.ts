import { type Address, bytesToHex, type Hex, hexToBytes, recoverAddress } from 'viem'
import { publicKeyToAddress } from 'viem/utils'

/** Compiled, and thus seven times as fast; without this optional package viem does it. */
const compiled = await import('tiny-secp256k1').catch(() => null)

const SIGNATURE_LENGTH = 65
/** The parities of a signature's point, as wallets write them. */
const PARITIES: Readonly<Record<number, 0 | 1>> = { 0: 0, 1: 1, 27: 0, 28: 1 }

/** Of keys that signed lately: hashing a key takes half as long as recovering it. */
const addresses = new Map<Hex, Address>()
const MAX_ADDRESSES = 10_000

const addressOf = (key: Hex): Address => {
  const address = addresses.get(key) ?? publicKeyToAddress(key)
  if (addresses.size >= MAX_ADDRESSES) addresses.clear()
  addresses.set(key, address)
  return address
}

/** The account whose key signed a hash; null if the signature is not of that kind. */
export const signerOf = async (hash: Hex, signature: Hex): Promise<Address | null> => {
  const bytes = hexToBytes(signature)
  const parity = PARITIES[bytes[SIGNATURE_LENGTH - 1] ?? -1]
  if (bytes.length !== SIGNATURE_LENGTH || parity === undefined) return null
  if (!compiled) return recoverAddress({ hash, signature }).catch(() => null)
  try {
    const key = compiled.recover(hexToBytes(hash), bytes.subarray(0, -1), parity, false)
    return key && addressOf(bytesToHex(key))
  } catch {
    return null
  }
}
