import type { LoadTarget } from './load.ts'

/** A query over the sample lake that differs for each number but has the same cost. */
export const computed = '/v1/analyst/inflation?department=grocery&granularity=daily&days={days}'

/** The path or body of a request with its number filled in. */
export const numbered = (text: string, number: number): string =>
  text.replaceAll('{days}', String(900 + (number % 900))).replaceAll('{n}', String(number))

const accepting = (path: string, accept: string): LoadTarget => ({ path, headers: { accept } })

/** A query as everything that a service makes of it: a page, files, an answer over MCP, a batch. */
export const drawnTargets = (query: string, params: Readonly<Record<string, string>>): LoadTarget[] => {
  const text = Object.entries(params)
    .map((pair) => pair.join('='))
    .join('&')
  const posted = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const call = { name: 'ask', arguments: { query, params } }
  return [
    accepting(`/queries/${query}?${text}`, 'text/html'),
    ...['text/csv', 'application/vnd.apache.arrow.stream', 'application/vnd.apache.parquet'].map((type) =>
      accepting(`/v1/${query}?${text}`, type),
    ),
    {
      path: '/mcp',
      headers: posted,
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
    },
    { path: '/v1/batch', headers: posted, body: JSON.stringify([1, 2].map(() => ({ path: `/v1/${query}`, params }))) },
  ]
}
