import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf, refuseScarcity } from './lake-error.ts'

/** What a file or folder looks like without being read. One more link to it is no change: its ctime does not count. */
const lookOf = async (path: string): Promise<string> => {
  try {
    const { size, mtimeNs, ino, dev } = await lstat(path, { bigint: true })
    return [size, mtimeNs, ino, dev].join()
  } catch (cause) {
    refuseScarcity(cause)
    return codeOf(cause)
  }
}

/** Finds which paths in a folder have changed, at one lstat each. */
export class Watch {
  readonly #folder: string
  readonly #paths: readonly string[]
  #looks: readonly string[] = []

  private constructor(folder: string, paths: readonly string[]) {
    this.#folder = folder
    this.#paths = paths
  }

  static async of(folder: string, paths: readonly string[]): Promise<Watch> {
    const watch = new Watch(folder, paths)
    watch.#looks = await watch.#look()
    return watch
  }

  #look(): Promise<string[]> {
    return Promise.all(this.#paths.map((path) => lookOf(join(this.#folder, path))))
  }

  /** The paths that look otherwise; once they are `accepted`, their new looks are what others are compared with. */
  async changes(): Promise<{ paths: string[]; accept(): void }> {
    const looks = await this.#look()
    return {
      paths: this.#paths.filter((_, at) => looks[at] !== this.#looks[at]),
      accept: () => {
        this.#looks = looks
      },
    }
  }
}
