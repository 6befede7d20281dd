import { readable, shortened } from '../../engine/index.ts'

const MARKUP = Symbol('markup')

/** Markup: text that is sent as it is. Anything else in a template is escaped. */
export type Markup = { readonly [MARKUP]: string }

/** What a template accepts: lists are joined, null, undefined and false leave nothing. */
export type HtmlContent = Markup | string | number | false | null | undefined | readonly HtmlContent[]

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escapeText = (text: string): string =>
  readable(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')

const isMarkup = (content: object): content is Markup => MARKUP in content

const markupText = (content: HtmlContent): string => {
  if (content === null || content === undefined || content === false) return ''
  if (typeof content !== 'object') return escapeText(String(content))
  return isMarkup(content) ? content[MARKUP] : content.map(markupText).join('')
}

/** Marks a text as markup. Only for text that is made in the code, never for what a lake or a client contains. */
export const trusted = (text: string): Markup => ({ [MARKUP]: text })

/** A template whose values are made readable and escaped unless they are markup. Values of attributes must be in double quotes. */
export const html = (texts: TemplateStringsArray, ...values: readonly HtmlContent[]): Markup =>
  trusted(texts.reduce((before, text, i) => before + markupText(values[i - 1]) + text))

/** The text of markup, to send. */
export const rendered = (markup: Markup): string => markup[MARKUP]

/** Content, cut if it is a long text; its title then has the whole. */
export const cut = (content: HtmlContent): HtmlContent => {
  if (typeof content !== 'string') return content
  const first = shortened(content)
  return first === content ? content : html`<span title="${content}">${first}</span>`
}

/** Contents with a separator between them. */
export const joined = (contents: readonly HtmlContent[], separator: HtmlContent): HtmlContent =>
  contents.flatMap((content, i) => (i === 0 ? [content] : [separator, content]))
