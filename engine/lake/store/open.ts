import { EngineError } from '../../contract/errors.ts'
import { quotedValue } from '../../contract/expectation.ts'
import { staysInside } from '../manifest.ts'
import { folderStore } from './folder.ts'
import { type S3Bucket, type S3Options, s3Store } from './s3.ts'
import type { Store } from './store.ts'

/** The environment variables that say where S3 is and who reads and writes it. */
export const AWS_VARIABLES = [
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AWS_REGION',
  'AWS_DEFAULT_REGION',
  'AWS_ENDPOINT_URL_S3',
  'AWS_ENDPOINT_URL',
] as const

export type AwsEnvironment = Readonly<Partial<Record<(typeof AWS_VARIABLES)[number], string | undefined>>>

const DEFAULTS: S3Options = { attempts: 5, pause_ms: 250, idle_ms: 30_000 }

const BUCKET = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/

const invalidAddress = (message: string): EngineError => new EngineError('INVALID_PARAMS', message)

const bucketOf = (name: string, environment: AwsEnvironment): S3Bucket => {
  const [, bucket, path = ''] = BUCKET.exec(name) ?? []
  const prefix = path.replace(/\/$/, '')
  if (bucket === undefined || (prefix !== '' && !staysInside(prefix)))
    throw invalidAddress(`expected a folder or s3://BUCKET/PREFIX, got ${quotedValue(name)}`)
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION, AWS_DEFAULT_REGION } = environment
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY)
    throw invalidAddress(`${name} needs credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY`)
  const endpoint = environment.AWS_ENDPOINT_URL_S3 || environment.AWS_ENDPOINT_URL || undefined
  if (endpoint !== undefined && !/^https?:\/\/[^/?#]+\/*$/.test(endpoint))
    throw invalidAddress('AWS_ENDPOINT_URL: expected an address such as https://s3.example.com')
  return {
    bucket,
    prefix,
    endpoint,
    region: AWS_REGION || AWS_DEFAULT_REGION || 'us-east-1',
    credentials: {
      access_key_id: AWS_ACCESS_KEY_ID,
      secret_access_key: AWS_SECRET_ACCESS_KEY,
      session_token: AWS_SESSION_TOKEN || undefined,
    },
  }
}

/**
 * A store by its name: a folder, or `s3://BUCKET/PREFIX`. Nothing is sent or read yet. Throws INVALID_PARAMS for another
 * kind of address, and for a bucket without credentials.
 */
export const openStore = (name: string, environment: AwsEnvironment = {}, options: Partial<S3Options> = {}): Store => {
  if (name.startsWith('s3:')) return s3Store(bucketOf(name, environment), { ...DEFAULTS, ...options })
  if (name.trim() === '' || /^[a-z][a-z0-9+.-]+:\/\//i.test(name))
    throw invalidAddress(`expected a folder or s3://BUCKET/PREFIX, got ${quotedValue(name)}`)
  return folderStore(name)
}
