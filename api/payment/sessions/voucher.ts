import { Session as Mpp } from 'mppx/tempo'
import { type Address, type Hex, isAddressEqual } from 'viem'
import { Channel } from 'viem/tempo'
import { signerOf } from '../recover.ts'
import type { TempoSession, Voucher } from './session.ts'
import { ESCROW } from './tempo-escrow.ts'

const { Channel: channels, Voucher: vouchers } = Mpp.Precompile

/** By a secp256k1 key, in the one form that chains take: r, s and 27 or 28. */
const COMMON = /^0x[0-9a-f]{64}([0-9a-f]{64})1[bc]$/i
/** Of the two values of s chains take the lower one. */
const MAX_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

export const isCommon = (signature: Hex): boolean => {
  const s = COMMON.exec(signature)?.[1]
  return s !== undefined && BigInt(`0x${s}`) <= MAX_S
}

const signerOfSession = ({ descriptor }: TempoSession): Address => channels.resolveAuthorizedSigner(descriptor)

/** Whether the payer of a session signed a voucher, in a form that its chain takes. Common signatures take a tenth of the time. */
export const isSigned = async (session: TempoSession, { cumulativeAmount, signature }: Voucher): Promise<boolean> => {
  const { channelId, chainId } = session
  const signer = signerOfSession(session)
  if (isCommon(signature)) {
    const recovered = await signerOf(Channel.getVoucherSignPayload({ chainId, channelId, cumulativeAmount }), signature)
    return recovered !== null && isAddressEqual(recovered, signer)
  }
  const voucher = { channelId, cumulativeAmount: cumulativeAmount as never, signature }
  return vouchers.verifyVoucher(ESCROW, chainId, voucher, signer)
}
