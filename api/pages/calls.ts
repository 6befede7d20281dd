import { type AnyQuery, paramNamed, queryId } from '../../engine/index.ts'
import { apiPath, pathWith } from '../http/address.ts'
import { html, type Markup } from './html.ts'
import { codeBlock, tabs } from './parts.ts'

/** A query with the parameters to send, and the public address of the service. */
export type ExampleCall = {
  query: AnyQuery
  params: Readonly<Record<string, string>>
  base_url: string
  isPaid: boolean
  price: string
}

export const pagePath = ({ group, name }: AnyQuery): string => `/queries/${group}/${name}`

const shellQuoted = (text: string): string =>
  /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

/** The parameters with numbers and flags as such. */
const typedParams = ({ query, params }: ExampleCall): Record<string, unknown> => {
  const typed = (name: string, text: string): unknown => {
    const type = paramNamed(query, name)?.type
    return (type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?$/.test(text)
      ? Number(text)
      : type === 'boolean'
        ? text === 'true'
        : text
  }
  return Object.fromEntries(Object.entries(params).map(([name, text]) => [name, typed(name, text)]))
}

const objectText = (values: Record<string, unknown>): string => {
  const entries = Object.entries(values).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? `'${value.replace(/['\\]/g, '\\$&')}'` : value}`,
  )
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`
}

const camelCase = (name: string): string => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

const curl = (call: ExampleCall, url: string): Markup =>
  html`<p>${
    call.isPaid
      ? 'Without a payment the service answers 402 with the price and where to pay it. What it cannot answer it refuses before that, so a refusal is never charged.'
      : 'No payment and no key.'
  }</p>${codeBlock(`curl ${call.isPaid ? '-i ' : ''}${shellQuoted(url)}`, 'curl example')}`

const typescript = (call: ExampleCall, url: string): Markup => {
  const name = camelCase(call.query.name)
  const library = `import { Engine, ${name} } from 'shelfmark'\n\nconst engine = await Engine.open('data/lake')\nconst answer = await engine.ask(${name}, ${objectText(typedParams(call))})`
  const http = call.isPaid
    ? `import { wrapFetchWithPayment } from '@x402/fetch'\n\nconst pay = wrapFetchWithPayment(fetch, client)      // an x402 client with your wallet\nconst answer = await (await pay('${url.replaceAll("'", '%27')}')).json()`
    : `const answer = await (await fetch('${url.replaceAll("'", '%27')}')).json()`
  return html`<p>Over your own lake, in the same process. Parameters and answer are typed.</p>${codeBlock(library, 'TypeScript library example')}<p>Over HTTP:</p>${codeBlock(http, 'TypeScript example over HTTP')}`
}

const python = ({ isPaid }: ExampleCall, url: string): Markup => {
  const quoted = `url = "${url.replaceAll('"', '%22')}"`
  const code = isPaid
    ? `import json, urllib.error, urllib.request\n\n${quoted}\ntry:\n    answer = json.load(urllib.request.urlopen(url))\nexcept urllib.error.HTTPError as refusal:\n    error = json.load(refusal)["error"]\n    print(refusal.code, error["code"], error["details"].get("price"))`
    : `import json, urllib.request\n\n${quoted}\nanswer = json.load(urllib.request.urlopen(url))`
  return html`<p>Standard library only${isPaid && ': it reads the price. Pay it with any client of x402 or MPP'}.</p>${codeBlock(code, 'Python example')}`
}

const cli = ({ query, params }: ExampleCall): Markup => {
  const options = Object.entries(params).map(([name, text]) => `--${name.replaceAll('_', '-')} ${shellQuoted(text)}`)
  const line = ['shelfmark', query.group, query.name, ...options].join(' ')
  return html`<p>Over a local lake, without payment: a page with plots on a terminal, the bytes of HTTP in a pipe.</p>${codeBlock(`${line}\n${line} --csv > answer.csv`, 'Command line example')}`
}

const mcp = (call: ExampleCall): Markup => {
  const { base_url, price } = call
  const env = {
    SHELFMARK_URL: base_url,
    ...(call.isPaid ? { SHELFMARK_MAX_PRICE: price, SHELFMARK_BUDGET: '1.00' } : {}),
  }
  const config = { mcpServers: { shelfmark: { command: 'npx', args: ['-y', 'shelfmark-mcp'], env } } }
  const ask = { query: queryId(call.query), params: typedParams(call) }
  return html`<p>For agents${call.isPaid && '; it pays from the wallet in its environment, never more than the caps'}.</p>${codeBlock(JSON.stringify(config, null, 2), 'MCP configuration example')}${codeBlock(`ask ${JSON.stringify(ask)}`, 'MCP call example')}`
}

/** The same call from other places, in tabs. */
export const callTabs = (call: ExampleCall): Markup => {
  const url = `${call.base_url}${pathWith(apiPath(call.query), call.params)}`
  return tabs('call', 'How to send the query', [
    { id: 'curl', label: 'curl', body: curl(call, url) },
    { id: 'ts', label: 'TypeScript', body: typescript(call, url) },
    { id: 'py', label: 'Python', body: python(call, url) },
    { id: 'cli', label: 'CLI', body: cli(call) },
    { id: 'mcp', label: 'MCP', body: mcp(call) },
  ])
}
