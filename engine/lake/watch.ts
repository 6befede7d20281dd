import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf, throwIfExhausted } from './lake-error.ts'

/** The metadata that changes with the content. Not ctime, which also changes when a hard link is added. */
const stateOf = async (path: string): Promise<string> => {
  try {
    const { size, mtimeNs, ino, dev } = await lstat(path, { bigint: true })
    return [size, mtimeNs, ino, dev].join()
  } catch (cause) {
    throwIfExhausted(cause)
    return codeOf(cause)
  }
}

/** Detects which paths in a folder have changed, with one lstat each. */
export class Watch {
  readonly #folder: string
  readonly #paths: readonly string[]
  #states: readonly string[] = []

  private constructor(folder: string, paths: readonly string[]) {
    this.#folder = folder
    this.#paths = paths
  }

  static async of(folder: string, paths: readonly string[]): Promise<Watch> {
    const watch = new Watch(folder, paths)
    watch.#states = await watch.#readStates()
    return watch
  }

  #readStates(): Promise<string[]> {
    return Promise.all(this.#paths.map((path) => stateOf(join(this.#folder, path))))
  }

  /** The paths that have changed since `accept` was last called. */
  async changes(): Promise<{ paths: string[]; accept(): void }> {
    const states = await this.#readStates()
    return {
      paths: this.#paths.filter((_, index) => states[index] !== this.#states[index]),
      accept: () => {
        this.#states = states
      },
    }
  }
}
