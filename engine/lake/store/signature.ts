import { createHash, createHmac } from 'node:crypto'

export type AwsCredentials = { access_key_id: string; secret_access_key: string; session_token?: string | undefined }

/** A request to sign; its headers include every one that the signature covers but the host and those added by signing. */
export type UnsignedRequest = {
  method: string
  url: URL
  headers: Readonly<Record<string, string>>
  /** SHA-256 of the body, in hexadecimal. */
  payload_sha256: string
}

/** Encodes a name as Signature Version 4 does: everything but A-Z a-z 0-9 - . _ ~ */
export const uriEncode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

const canonicalQuery = ({ searchParams }: URL): string =>
  [...searchParams]
    .map(([name, value]) => `${uriEncode(name)}=${uriEncode(value)}`)
    .sort()
    .join('&')

/**
 * The headers of a request to S3 with its signature, by AWS Signature Version 4: the path is encoded once, and the hash
 * of the body is a header.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */
export const signed = (
  { method, url, headers, payload_sha256 }: UnsignedRequest,
  { access_key_id, secret_access_key, session_token }: AwsCredentials,
  region: string,
  moment: Date,
): Record<string, string> => {
  const time = moment.toISOString().replace(/[-:]|\.\d{3}/g, '')
  const day = time.slice(0, 8)
  const added = {
    ...headers,
    'x-amz-content-sha256': payload_sha256,
    'x-amz-date': time,
    ...(session_token === undefined ? {} : { 'x-amz-security-token': session_token }),
  }
  const entries = Object.entries({ ...added, host: url.host }).sort(([a], [b]) => (a < b ? -1 : 1))
  const names = entries.map(([name]) => name).join(';')
  const canonical = [
    method,
    url.pathname,
    canonicalQuery(url),
    ...entries.map(([name, value]) => `${name}:${value.trim()}`),
    '',
    names,
    payload_sha256,
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secret_access_key}`)
  const signature = hmac(key, ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')).toString('hex')
  const authorization = `AWS4-HMAC-SHA256 Credential=${access_key_id}/${scope},SignedHeaders=${names},Signature=${signature}`
  return { ...added, authorization }
}
