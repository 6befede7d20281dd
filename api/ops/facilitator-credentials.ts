import { createPrivateKey, type KeyObject, randomBytes, sign } from 'node:crypto'

/** The headers that authorize one request to a facilitator. */
export type Authorize = (method: 'GET' | 'POST', address: URL) => Record<string, string>

/** How long a CDP token is valid. */
const TOKEN_SECONDS = 120
const SEED_BYTES = 32

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

const ed25519Key = (bytes: Buffer): KeyObject => {
  const [d, x] = [bytes.subarray(0, SEED_BYTES), bytes.subarray(SEED_BYTES)].map((half) => half.toString('base64url'))
  return createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d: d!, x: x! }, format: 'jwk' })
}

/**
 * Reads the secret of a CDP API key as issued by Coinbase: base64 of an Ed25519 seed with its public key, or PEM of a
 * P-256 key, whose line breaks may be written `\n`. Null if it is neither.
 */
export const readCdpSecret = (secret: string): KeyObject | null => {
  try {
    if (!secret.includes('-----BEGIN')) {
      const bytes = Buffer.from(secret, 'base64')
      return bytes.length === 2 * SEED_BYTES ? ed25519Key(bytes) : null
    }
    const key = createPrivateKey(secret.replaceAll('\\n', '\n'))
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : null
  } catch {
    return null
  }
}

/** The token that Coinbase Developer Platform requires with each request: a JWT bound to its method, host and path. */
const cdpToken = (keyId: string, key: KeyObject, uri: string): string => {
  const isEd25519 = key.asymmetricKeyType === 'ed25519'
  const now = Math.floor(Date.now() / 1000)
  const header = { alg: isEd25519 ? 'EdDSA' : 'ES256', kid: keyId, typ: 'JWT', nonce: randomBytes(16).toString('hex') }
  const claims = { sub: keyId, iss: 'cdp', uris: [uri], iat: now, nbf: now, exp: now + TOKEN_SECONDS }
  const signed = Buffer.from(`${base64url(header)}.${base64url(claims)}`)
  // RFC 7518, 3.4: an ECDSA signature is its two numbers, not their ASN.1.
  const signature = isEd25519 ? sign(null, signed, key) : sign('sha256', signed, { key, dsaEncoding: 'ieee-p1363' })
  return `${signed}.${signature.toString('base64url')}`
}

type Credentials = {
  facilitator_token?: string | undefined
  cdp_key_id?: string | undefined
  cdp_key_secret?: KeyObject | undefined
}

/** The credentials of the settings: a bearer token, a CDP key, or none. */
export const authorizeBy = ({ facilitator_token, cdp_key_id, cdp_key_secret }: Credentials): Authorize => {
  if (cdp_key_id && cdp_key_secret)
    return (method, { host, pathname }) => ({
      authorization: `Bearer ${cdpToken(cdp_key_id, cdp_key_secret, `${method} ${host}${pathname}`)}`,
    })
  return () => (facilitator_token ? { authorization: `Bearer ${facilitator_token}` } : {})
}
