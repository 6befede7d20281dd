/** The progress of a step: `done` of `total` in its own unit, and the rows processed. */
export type Progress = {
  step: 'reading' | 'identifying' | 'merging' | 'publishing' | 'copying' | 'sending' | 'fetching' | 'comparing'
  done: number
  total: number
  rows: number
}
export type OnProgress = (progress: Progress) => void

const duration = (seconds: number): string =>
  seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`

/** Rewrites one line of a terminal: step, rows, rate and remaining time. */
export const createProgressLine = (stream: NodeJS.WriteStream): OnProgress => {
  let step = ''
  let start = 0
  return ({ step: now, done, total, rows }) => {
    if (now !== step) [step, start] = [now, performance.now()]
    const seconds = (performance.now() - start) / 1000
    const parts = [`${step} ${total > 0 ? Math.floor((100 * done) / total) : 100} %`]
    if (rows > 0) parts.push(`${rows.toLocaleString('en')} rows`)
    if (rows > 0 && seconds > 1) parts.push(`${Math.round(rows / seconds).toLocaleString('en')} rows/s`)
    if (done > 0 && done < total && seconds > 1) parts.push(`${duration((seconds * (total - done)) / done)} left`)
    stream.write(`\r\u001b[K${parts.join(', ')}`)
  }
}
