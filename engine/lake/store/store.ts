import type { ByteChunks, ObjectContent } from './content.ts'
import type { AwsCredentials } from './signature.ts'

/** Where another machine reads an object: in a folder, or at an address with keys. */
export type ObjectLocation = { path: string } | { url: string; credentials: AwsCredentials }

/** An object as it is read. The tag changes with its content, if the store says so; it is null if not. */
export type StoredObject = { body: ByteChunks; tag: string | null }

/**
 * Where snapshots are kept for other machines to pull: a folder, or a bucket of an S3-compatible service. Objects are named
 * by the SHA-256 of their content, so they never change, but for the pointer. Every request throws NOT_READY with a
 * `StoreFailure` if the store fails.
 */
export type Store = {
  /** As users name it. */
  name: string
  /** The folder that a writer must lock; null where the store itself decides between two writers. */
  folder: string | null
  /** Where other readers find an object. */
  locate(object: string): ObjectLocation
  /**
   * Calls `consume` with an object, again if the connection breaks while it is read; null without a call if there is no
   * such object.
   */
  get<T>(object: string, consume: (stored: StoredObject) => Promise<T>): Promise<T | null>
  /** The length of an object; null if there is none. */
  size(object: string): Promise<number | null>
  /** Puts an object; readers see all of it or none. */
  put(object: string, content: ObjectContent): Promise<void>
  /** Puts an object unless there is one. Returns whether it was put. */
  putIfAbsent(object: string, content: ObjectContent): Promise<boolean>
  /** Puts an object in place of the one with this tag. Returns whether it was put; false if it has another tag now. */
  putIfMatch(object: string, content: ObjectContent, tag: string): Promise<boolean>
}
