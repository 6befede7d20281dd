import { readFileSync } from 'node:fs'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { sampleLake } from '../../test/support/sample.ts'
import { median } from '../quantile.ts'

/** A question as people put it, the query and parameters that answer it, and the refusals that are answers, too. */
type PutQuestion = { question: string; query: string; params: Record<string, string>; refusals: string[] }

const MAX_CALLS = 3
const MIN_REACHED = 95

const questionsIn = (text: string): PutQuestion[] =>
  text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [question = '', query = '', params = '', refusals = ''] = line.split('\t')
      const entries = params.split(';').filter(Boolean)
      return {
        question,
        query,
        params: Object.fromEntries(entries.map((entry) => entry.split('=') as [string, string])),
        refusals: refusals.split(',').filter(Boolean),
      }
    })

type ToolData = Record<string, unknown>
type ToolResult = { isError?: boolean; content: { text: string }[]; structuredContent?: ToolData }

/** Four characters a token, as models read English and JSON. */
const tokensOf = (value: unknown): number => Math.ceil(JSON.stringify(value).length / 4)

/** Names that a text mentions as words of their own. */
const names = (text: string): Set<string> => new Set(text.match(/[\w-]+(?:\/[\w-]+)*/g))

type Host = (tool: string, args: ToolData) => Promise<ToolResult>

/**
 * Answers a question with nothing but what the tools said: the list names the query and what it requires; parameters beyond
 * these need describe_query, unless a refusal offers them.
 */
const answerOf = async (call: Host, { query, params, refusals }: PutQuestion) => {
  let calls = 0
  let tokens = 0
  let data_tokens = 0
  const use = async (tool: string, args: ToolData): Promise<ToolResult> => {
    const result = await call(tool, args)
    calls += 1
    tokens += tokensOf(args) + result.content.reduce((sum, { text }) => sum + Math.ceil(text.length / 4), 0)
    data_tokens += tokensOf(result.structuredContent ?? {})
    return result
  }
  const fail = (reason: string) => ({ reached: false, reason, calls, tokens, data_tokens })
  const listed = await use('list_queries', { group: query.split('/')[0] })
  const line = listed.content[0]!.text.split('\n').find((text) => text.startsWith(`${query}: `))
  if (!line) return fail('the list does not name the query')
  const [, required = ''] = /Required: ([^.]*)\./.exec(line) ?? []
  if (required && ![...names(required)].some((name) => name in params)) return fail(`the list requires ${required}`)
  if (Object.keys(params).some((name) => !names(required).has(name))) {
    const described = await use('describe_query', { query })
    const known = names(described.content[0]!.text)
    const unnamed = Object.keys(params).find((name) => !known.has(name))
    if (unnamed) return fail(`describe_query does not name ${unnamed}`)
  }
  const { isError, structuredContent = {}, content } = await use('ask', { query, params })
  const { code = '' } = (structuredContent.error ?? {}) as { code?: string }
  if (isError && !refusals.includes(code)) return fail(content[0]!.text.slice(0, 80))
  if (calls > MAX_CALLS) return fail(`${calls} calls`)
  if (!isError && !/\d|[A-Z]/.test(content[0]!.text)) return fail('the text of the answer says nothing')
  return { reached: true, reason: isError ? code : '', calls, tokens, data_tokens }
}

/** How many questions the tools of `shelfmark-mcp` answer in three calls, over the sample lake, and what they cost. */
export const benchAgents = async () => {
  const { lake, as_of } = await sampleLake()
  const client = new Client({ name: 'bench', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
  const { PATH = '' } = process.env
  const root = new URL('../../', import.meta.url).pathname
  const args = ['--import', 'tsx', `${root}api/mcp/main.ts`, '--lake', lake]
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args,
      env: { PATH, SHELFMARK_AS_OF: as_of.toISOString() },
      cwd: root,
    }),
  )
  const call: Host = async (name, given) => (await client.callTool({ name, arguments: given })) as unknown as ToolResult
  const questions = questionsIn(readFileSync(new URL('questions.tsv', import.meta.url), 'utf8'))
  const outcomes = []
  for (const question of questions) outcomes.push({ ...question, ...(await answerOf(call, question)) })
  const definition = tokensOf(await client.listTools())
  await client.close()
  const missed = outcomes.filter(({ reached }) => !reached)
  if (questions.length - missed.length < MIN_REACHED) process.exitCode = 1
  const counts = outcomes.map(({ tokens }) => tokens)
  return [
    {
      questions: questions.length,
      reached: questions.length - missed.length,
      refused: outcomes.filter(({ reached, reason }) => reached && reason !== '').length,
      calls_median: median(outcomes.map(({ calls }) => calls)),
      tokens_median: median(counts),
      tokens_max: Math.max(...counts),
      data_tokens_median: median(outcomes.map(({ data_tokens }) => data_tokens)),
      definition_tokens: definition,
    },
    ...outcomes.flatMap(({ question, query, reached, reason }) =>
      reached && reason === '' ? [] : [{ question, query, reached: String(reached), reason }],
    ),
  ]
}
