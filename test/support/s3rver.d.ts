declare module 's3rver' {
  /** An S3 server over a folder. It checks no signature of version 4, and ignores conditional requests. */
  class S3rver {
    constructor(options: {
      port: number
      address: string
      silent: boolean
      directory: string
      vhostBuckets: boolean
      configureBuckets: readonly { name: string }[]
    })
    run(): Promise<{ port: number }>
    close(): Promise<void>
  }
  export = S3rver
}
