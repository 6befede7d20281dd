const cleanups: (() => unknown)[] = []

/** Leaves work to the end of the test file, or of the command that uses parts of the tests; the last comes first. */
export const atEnd = (cleanUp: () => unknown): void => void cleanups.push(cleanUp)

/** Does what was left to the end. */
export const cleanUpAll = async (): Promise<void> => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp()
}
