import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { signed, uriEncode } from '../../engine/lake/store/signature.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

// The examples of https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
const credentials = {
  access_key_id: 'AKIAIOSFODNN7EXAMPLE',
  secret_access_key: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
}
const AT = new Date('2013-05-24T00:00:00Z')

it.each([
  [
    'GET Object',
    { method: 'GET', path: '/test.txt', headers: { range: 'bytes=0-9' }, body: '' },
    'host;range;x-amz-content-sha256;x-amz-date',
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  ],
  [
    'PUT Object',
    {
      method: 'PUT',
      path: '/test%24file.text',
      headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
      body: 'Welcome to Amazon S3.',
    },
    'date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class',
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  ],
  [
    'GET Bucket Lifecycle',
    { method: 'GET', path: '/?lifecycle', headers: {}, body: '' },
    'host;x-amz-content-sha256;x-amz-date',
    'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  ],
  [
    'Get Bucket (List Objects)',
    { method: 'GET', path: '/?max-keys=2&prefix=J', headers: {}, body: '' },
    'host;x-amz-content-sha256;x-amz-date',
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  ],
])('signs the example %s as AWS publishes it', (_, { method, path, headers, body }, names, signature) => {
  const url = new URL(`https://examplebucket.s3.amazonaws.com${path}`)
  const { authorization } = signed({ method, url, headers, payload_sha256: sha256(body) }, credentials, 'us-east-1', AT)
  expect(authorization).toBe(
    `AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=${names},Signature=${signature}`,
  )
})

it('covers the token of temporary credentials', () => {
  const request = { method: 'GET', url: new URL('https://a.example'), headers: {}, payload_sha256: sha256('') }
  const headers = signed(request, { ...credentials, session_token: 'token' }, 'us-east-1', AT)
  expect(headers).toMatchObject({
    'x-amz-security-token': 'token',
    authorization: expect.stringContaining('x-amz-date;x-amz-security-token,'),
  })
})

it('encodes names as AWS does', () => {
  expect(uriEncode("a-._~é (1)!*'/+")).toBe('a-._~%C3%A9%20%281%29%21%2A%27%2F%2B')
})
