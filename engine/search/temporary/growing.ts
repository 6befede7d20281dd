type GrowingArray = Float64Array | Uint32Array | Int32Array | BigUint64Array

/** A typed array to which values are appended. */
export const createGrowing = <T extends GrowingArray>(make: (length: number) => T) => {
  let values = make(1024)
  let length = 0
  return {
    push(value: T[number]): void {
      if (length === values.length) {
        const longer = make(2 * length)
        longer.set(values as never)
        values = longer
      }
      values[length] = value
      length += 1
    },
    /** The values so far. */
    end: (): T => values.slice(0, length) as T,
  }
}
