/**
 * Pays for the planned request of the page with a browser wallet (EIP-1193), by x402 on Base: the wallet signs an
 * authorization of EIP-3009, the service sends it. Nothing is loaded from elsewhere.
 */
const VALID_SECONDS = 60
const CLOCK_SKEW_SECONDS = 600
const UNKNOWN_CHAIN = 4902

const AUTHORIZATION = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
]
const DOMAIN = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
]

const box = document.getElementById('wallet')
const button = document.getElementById('pay')
const status = document.getElementById('wallet-status')
const { api, page, purchase } = box.dataset
const wallet = globalThis.ethereum

/** The offer on an EVM chain that the service makes for the request, or why it refuses it. */
const readOffer = async () => {
  const response = await fetch(api)
  const header = response.headers.get('payment-required')
  if (response.status !== 402 || !header) {
    const { error } = await response.json()
    throw new Error(error?.message ?? `The service answered ${response.status}.`)
  }
  const { accepts, resource } = JSON.parse(atob(header))
  const accepted = accepts.find(({ scheme, network }) => scheme === 'exact' && network.startsWith('eip155:'))
  if (!accepted) throw new Error('The service takes no payment on Base at the moment.')
  return { accepted, resource }
}

const switchChain = async (chain_id) => {
  const chainId = `0x${chain_id.toString(16)}`
  try {
    await wallet.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] })
  } catch (error) {
    throw error.code === UNKNOWN_CHAIN ? new Error(`Add the chain ${chain_id} to the wallet and try again.`) : error
  }
}

const randomNonce = () => {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** The payment header for an offer, signed by the wallet. */
const signPayment = async ({ accepted, resource }) => {
  const [from] = await wallet.request({ method: 'eth_requestAccounts' })
  const chainId = Number(accepted.network.split(':')[1])
  await switchChain(chainId)
  const now = Math.floor(Date.now() / 1000)
  const authorization = {
    from,
    to: accepted.payTo,
    value: accepted.amount,
    validAfter: String(now - CLOCK_SKEW_SECONDS),
    validBefore: String(now + Math.min(accepted.maxTimeoutSeconds, VALID_SECONDS)),
    nonce: randomNonce(),
  }
  const typed = {
    types: { EIP712Domain: DOMAIN, TransferWithAuthorization: AUTHORIZATION },
    primaryType: 'TransferWithAuthorization',
    domain: { ...accepted.extra, chainId, verifyingContract: accepted.asset },
    message: authorization,
  }
  const signature = await wallet.request({ method: 'eth_signTypedData_v4', params: [from, JSON.stringify(typed)] })
  return btoa(JSON.stringify({ x402Version: 2, resource, accepted, payload: { signature, authorization } }))
}

/** Shows the page that the service returns in place of this one. */
const showPage = (text) => {
  const next = new DOMParser().parseFromString(text, 'text/html')
  document.title = next.title
  document.querySelector('main').replaceWith(next.querySelector('main'))
  const result = document.getElementById('result')
  result?.setAttribute('tabindex', '-1')
  result?.scrollIntoView()
  result?.focus({ preventScroll: true })
}

const pay = async () => {
  button.disabled = true
  try {
    status.textContent = 'Reading the offer.'
    const offer = await readOffer()
    status.textContent = `Confirm $${(Number(offer.accepted.amount) / 1e6).toFixed(2)} in the wallet.`
    const payment = await signPayment(offer)
    status.textContent = 'Paying. This takes some seconds; a repeated attempt is not charged twice.'
    const headers = { accept: 'text/html', 'payment-signature': payment, 'idempotency-key': purchase }
    const response = await fetch(page, { headers })
    showPage(await response.text())
  } catch (error) {
    status.textContent = `${error.message ?? error} Nothing was paid by this page.`
    button.disabled = false
  }
}

if (wallet) {
  button.hidden = false
  button.addEventListener('click', pay)
} else status.textContent = `${status.textContent} This browser has no wallet.`
