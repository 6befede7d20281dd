import { parentPort } from 'node:worker_threads'
import { draw, drawComparison } from './drawings.ts'
import { type DrawingRequest, type Drawn, READY } from './messages.ts'

/** Draws the plots of answers, given as JSON, one after the other. */
parentPort?.on('message', ({ number, id, answer, isComparison }: DrawingRequest) => {
  const drawn: Drawn = { number, plots: (isComparison ? drawComparison : draw)(id, JSON.parse(answer)) }
  parentPort?.postMessage(drawn)
})

parentPort?.postMessage(READY)
