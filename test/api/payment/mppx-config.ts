import { methodOf } from '../../../api/pay/tempo.ts'

/** Read by the command `mppx`, which otherwise asks a public faucet for money. */
export const methods = [methodOf(JSON.parse(process.env.TEST_WALLET ?? ''))]
