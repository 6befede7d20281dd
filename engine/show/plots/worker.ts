import { parentPort } from 'node:worker_threads'
import { queries } from '../../queries/index.ts'
import { queryId } from '../../queries/query.ts'
import { type DrawingRequest, type Drawn, READY } from './drawing-thread.ts'
import { draw, drawComparison } from './drawings.ts'

/** Draws the plots of answers, given as JSON, one after the other. */
parentPort?.on('message', ({ number, id, answer, isComparison }: DrawingRequest) => {
  const query = queries.find((query) => queryId(query) === id)
  const drawn: Drawn = { number, plots: query ? (isComparison ? drawComparison : draw)(query, JSON.parse(answer)) : [] }
  parentPort?.postMessage(drawn)
})

parentPort?.postMessage(READY)
