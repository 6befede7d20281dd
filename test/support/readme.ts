import { type AnyQuery, Engine, plotsOf, readParams, svgFile } from '../../engine/index.ts'
import { shortPage } from '../../engine/show/cli/short-page.ts'
import { styleOf } from '../../engine/show/cli/terminal.ts'
import { queryNamed } from './ask.ts'
import { sampleLake } from './sample.ts'

const COLUMNS = 80
/** As much of a page as leaves the commands below it on the first screen. */
const MAX_LINES = 13

const params = { category: 'grocery', from: '2025-11-01', to: '2026-11-01' }

const answered = async (query: AnyQuery): Promise<Record<string, unknown>> => {
  const { lake, as_of } = await sampleLake()
  const engine = await Engine.open(lake, { as_of, connections: 1 })
  try {
    const answer = await engine.run(await engine.plan(query, readParams(query, params)))
    return answer as Record<string, unknown>
  } finally {
    engine.close()
  }
}

const command = (query: AnyQuery): string =>
  [
    'shelfmark',
    query.group,
    query.name,
    ...Object.entries(params).flatMap(([name, value]) => [`--${name}`, value]),
  ].join(' ')

/** What the README shows: the first plot of an answer over the sample lake, and the top of its page on a terminal. */
export const readmeExamples = async (): Promise<{ plot: string; terminal: string }> => {
  const query = queryNamed('analyst/inflation')
  const answer = await answered(query)
  const [plot] = await plotsOf(query, answer)
  if (!plot) throw new Error('the answer has no plot')
  const lines = shortPage(query, answer, COLUMNS, styleOf({ hasColours: false }))
  const shown = lines.slice(0, MAX_LINES).join('\n').trimEnd()
  return {
    plot: svgFile([plot], `Sample data; ${command(query)}`),
    terminal: `\`\`\`\n$ ${command(query)}\n${shown}\n...\n\`\`\``,
  }
}
