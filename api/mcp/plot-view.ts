import type { McpServer } from '@modelcontextprotocol/server'
import { type AnyQuery, plotsOf, queryId, svgFile, version } from '../../engine/index.ts'
import type { QueryClient } from './client.ts'

/** MCP Apps: hosts with this extension show the HTML that a tool names beside its results. */
const EXTENSION = 'io.modelcontextprotocol/ui'
const MIME_TYPE = 'text/html;profile=mcp-app'
const uri = 'ui://shelfmark/plot'
/** The `_meta` of a result that has its plot, an SVG file; models do not get it. */
const SVG = 'shelfmark/svg'

/** The `_meta` of a tool whose answers have plots. */
export const WITH_PLOT = { ui: { resourceUri: uri } }

/** Shows the plot as an image, so that nothing in it can run. Answers without one, and refusals, are shown as text. */
export const PLOT_VIEW = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>Plot of an answer</title>
<style>
body { margin: 0; overflow-x: auto; font: 14px/1.4 system-ui, sans-serif }
img { display: block; width: 100%; min-width: 38rem; max-width: 820px }
p { margin: 12px; white-space: pre-line }
</style>
</head>
<body>
<main></main>
<script>
const root = document.documentElement
const main = document.querySelector('main')
const send = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*')
const show = ({ content = [], _meta = {} }) => {
  const text = content.flatMap((part) => part.text ?? []).join('\\n')
  const svg = _meta['${SVG}']
  const shown = document.createElement(svg ? 'img' : 'p')
  if (svg) Object.assign(shown, { alt: text, src: 'data:image/svg+xml,' + encodeURIComponent(svg) })
  else shown.textContent = text
  main.replaceChildren(shown)
}
const follow = ({ theme } = {}) => { if (theme) root.style.colorScheme = theme }
addEventListener('message', ({ source, data }) => {
  if (source !== parent || data?.jsonrpc !== '2.0') return
  const { id, method, params, result } = data
  if (id === 1 && result) {
    follow(result.hostContext)
    send({ method: 'ui/notifications/initialized', params: {} })
  }
  if (method === 'ui/notifications/tool-result') show(params)
  if (method === 'ui/notifications/host-context-changed') follow(params)
  if (method === 'ui/resource-teardown' || method === 'ping') send({ id, result: {} })
})
new ResizeObserver(() => {
  const { width, height } = main.getBoundingClientRect()
  send({ method: 'ui/notifications/size-changed', params: { width: Math.ceil(width), height: Math.ceil(height) } })
}).observe(main)
send({
  id: 1,
  method: 'ui/initialize',
  params: { protocolVersion: '2026-01-26', appInfo: { name: 'shelfmark', version: '${version()}' }, appCapabilities: {} },
})
</script>
</body>
</html>
`

/** Adds the page that hosts show beside answers. */
export const addPlotView = (server: McpServer): void => {
  server.registerResource(
    'plot',
    uri,
    { title: 'Plot', description: 'Shows the plot of an answer in hosts with MCP Apps', mimeType: MIME_TYPE },
    () => ({ contents: [{ uri, mimeType: MIME_TYPE, text: PLOT_VIEW, _meta: { ui: { prefersBorder: true } } }] }),
  )
}

type Capabilities = { extensions?: Record<string, { mimeTypes?: unknown } | undefined> | undefined } | undefined

/** Whether a client shows pages beside results. */
const showsPages = (capabilities: Capabilities): boolean => {
  const { mimeTypes } = capabilities?.extensions?.[EXTENSION] ?? {}
  return Array.isArray(mimeTypes) && mimeTypes.includes(MIME_TYPE)
}

/** The `_meta` with the first plot of an answer; none for clients that do not show it, and answers without a plot. */
export const plotMeta = async (
  { draw = plotsOf }: QueryClient,
  capabilities: Capabilities,
  query: AnyQuery,
  answer: Record<string, unknown>,
): Promise<Record<string, unknown>> => {
  if (!showsPages(capabilities)) return {}
  const [plot] = (await draw(query, answer)) ?? []
  return plot ? { [SVG]: svgFile([plot], `Shelfmark, ${queryId(query)}`) } : {}
}
