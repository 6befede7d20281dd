import { Worker, type WorkerOptions } from 'node:worker_threads'
import { type AnyQuery, queryId } from '../../queries/query.ts'
import { headlineOf } from '../headline.ts'
import { type DrawingRequest, type Drawn, READY } from './messages.ts'
import type { ComparedAnswer, Plot, QuotedAnswer } from './plot.ts'

/** Starts the thread's module, which is TypeScript where the sources are not compiled. */
const startWorker = (options: WorkerOptions): Worker => {
  if (!import.meta.url.endsWith('.ts')) return new Worker(new URL('./worker.js', import.meta.url), options)
  const loader = import.meta.resolve('tsx/esm/api')
  const module = new URL('./worker.ts', import.meta.url)
  const [load, draw] = [loader, module].map((address) => `import(${JSON.stringify(address)})`)
  const code = `${load}.then(({ register }) => (register(), ${draw}))`
  return new Worker(code, { ...options, eval: true })
}

/** A drawing beyond this is a fault, which ends its thread rather than the service. */
const MAX_HEAP_MIB = 256

type QueuedDrawing = { request: DrawingRequest; settle(plots: readonly Plot[] | null): void }

/**
 * Draws plots in a thread of its own, one answer at a time, so that no drawing keeps a request waiting longer than its own
 * time. The thread starts with the first drawing.
 */
export class DrawingThread {
  #worker: Worker | null = null
  #ready: Promise<void> = Promise.resolve()
  #drawing: QueuedDrawing | null = null
  readonly #waiting: QueuedDrawing[] = []
  #number = 0
  readonly #onFault: (error: unknown) => void

  /** `onFault` gets what a drawing failed of. */
  constructor(onFault: (error: unknown) => void) {
    this.#onFault = onFault
  }

  /** Starts the thread, unless it runs. Resolves when it can draw, or has failed to start. */
  start(): Promise<void> {
    this.#worker ??= this.#start()
    return this.#ready
  }

  /**
   * The plots of an answer, given as JSON; null where they were not drawn within `milliseconds`, or drawing failed: a page
   * then does without them.
   */
  draw(query: AnyQuery, answer: string, milliseconds: number): Promise<readonly Plot[] | null> {
    return this.#request({ id: queryId(query), answer, isComparison: false }, milliseconds)
  }

  /** The plots that compare answers of a query; null like those of an answer. */
  compare(query: AnyQuery, compared: readonly ComparedAnswer[], milliseconds: number): Promise<readonly Plot[] | null> {
    const quoted = compared.map((each): QuotedAnswer => ({ ...each, headline: headlineOf(query, each.answer) }))
    return this.#request({ id: queryId(query), answer: JSON.stringify(quoted), isComparison: true }, milliseconds)
  }

  #request(request: Omit<DrawingRequest, 'number'>, milliseconds: number): Promise<readonly Plot[] | null> {
    return new Promise((resolve) => {
      this.#number += 1
      const waiting: QueuedDrawing = {
        request: { number: this.#number, ...request },
        settle: (plots) => {
          clearTimeout(timer)
          resolve(plots)
        },
      }
      const timer = setTimeout(() => this.#giveUp(waiting), milliseconds)
      this.#waiting.push(waiting)
      this.#next()
    })
  }

  async close(): Promise<void> {
    for (const waiting of this.#waiting.splice(0)) waiting.settle(null)
    await this.#stop()
  }

  #next(): void {
    if (this.#drawing) return
    this.#drawing = this.#waiting.shift() ?? null
    if (!this.#drawing) return
    void this.start()
    this.#worker?.postMessage(this.#drawing.request)
  }

  #start(): Worker {
    const worker = startWorker({ resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB } })
    worker.unref()
    this.#ready = new Promise((resolve) => {
      worker.once('message', () => resolve()).once('exit', () => resolve())
    })
    worker.on('message', (message: typeof READY | Drawn) => {
      if (message !== READY && message.number === this.#drawing?.request.number) this.#end(message.plots)
    })
    // The next drawing gets a new thread.
    worker.on('error', (error) => {
      this.#onFault(error)
      if (worker !== this.#worker) return
      this.#worker = null
      this.#end(null)
    })
    return worker
  }

  #end(plots: readonly Plot[] | null): void {
    this.#drawing?.settle(plots)
    this.#drawing = null
    this.#next()
  }

  #giveUp(waiting: QueuedDrawing): void {
    if (waiting === this.#drawing) {
      void this.#stop()
      this.#next()
      return
    }
    const position = this.#waiting.indexOf(waiting)
    if (position >= 0) this.#waiting.splice(position, 1)
    waiting.settle(null)
  }

  async #stop(): Promise<void> {
    const worker = this.#worker
    this.#worker = null
    this.#drawing?.settle(null)
    this.#drawing = null
    await worker?.terminate()
  }
}
