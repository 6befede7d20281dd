/** An element of an SVG document, with its parent and its text. */
export type SvgElement = {
  name: string
  attributes: Readonly<Record<string, string>>
  children: SvgElement[]
  parent: SvgElement | null
  text: string
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' }
const decoded = (text: string): string => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML allows none of them
  if (/[<>\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Cs}/u.test(text))
    throw new Error(`not allowed: ${text}`)
  return text.replace(/&([^;\s]*);?/g, (all, name: string) => {
    if (!ENTITIES[name] || !all.endsWith(';')) throw new Error(`no entity of XML: ${all}`)
    return ENTITIES[name]
  })
}

const attributesOf = (text: string): Record<string, string> => {
  const attributes: Record<string, string> = {}
  const rest = text.replace(/\s([\w:-]+)="([^"]*)"/g, (_, name: string, value: string) => {
    if (name in attributes) throw new Error(`${name} is repeated`)
    attributes[name] = decoded(value)
    return ''
  })
  if (rest.trim() !== '') throw new Error(`not an attribute: ${rest}`)
  return attributes
}

/** Parses XML without declarations, comments and CDATA, and returns its root. Throws where it is not well-formed. */
export const parseSvg = (xml: string): SvgElement => {
  const root: SvgElement = { name: '', attributes: {}, children: [], parent: null, text: '' }
  let current = root
  let end = 0
  for (const { 0: tag, 1: closing, 2: name = '', 3: attributes = '', 4: empty, index } of xml.matchAll(
    /<(\/?)([\w:]+)((?:\s[\w:-]+="[^"]*")*)\s*(\/?)>/g,
  )) {
    current.text += decoded(xml.slice(end, index))
    end = index + tag.length
    if (closing) {
      if (current.name !== name) throw new Error(`</${name}> closes <${current.name}>`)
      current.parent!.text += current.text
      current = current.parent!
      continue
    }
    const element = { name, attributes: attributesOf(attributes), children: [], parent: current, text: '' }
    current.children.push(element)
    if (!empty) current = element
  }
  const [only, ...others] = root.children
  if (current !== root || !only || others.length > 0 || xml.slice(end).trim() !== '') throw new Error('no single root')
  return only
}

/** An element and all within it. */
export const within = (element: SvgElement): SvgElement[] => [element, ...element.children.flatMap(within)]

/** An attribute of an element or of the nearest element around it that has it. */
const inherited = (element: SvgElement | null, name: string): string | undefined =>
  element ? (element.attributes[name] ?? inherited(element.parent, name)) : undefined

/** The translations of an element and of those around it, added up. */
export const originOf = (element: SvgElement | null): [x: number, y: number] => {
  if (!element) return [0, 0]
  const [x, y] = originOf(element.parent)
  const [, dx = '0', dy = '0'] =
    /translate\(([-\d.e]+)(?:,([-\d.e]+))?\)/.exec(element.attributes.transform ?? '') ?? []
  return [x + Number(dx), y + Number(dy)]
}

const pixels = (length = '0', fontSize: number): number =>
  length.endsWith('em') ? Number(length.slice(0, -2)) * fontSize : Number(length)

export type TextBox = { text: string; left: number; right: number; top: number; bottom: number }

/** Where the lines of an SVG's texts are. `widthOf` estimates the width of a text at a size of 1. */
export const textBoxes = (svg: SvgElement, widthOf: (text: string) => number): TextBox[] =>
  within(svg)
    .filter(({ name }) => name === 'text')
    .flatMap((element) => {
      const [x, y] = originOf(element)
      const fontSize = Number(inherited(element, 'font-size') ?? 12)
      const anchor = inherited(element, 'text-anchor')
      const spans = element.children.filter(({ name }) => name === 'tspan')
      let line = y + pixels(element.attributes.y, fontSize)
      return (spans.length > 0 ? spans : [element]).map((span) => {
        if (span !== element) line = span.attributes.y ? y + pixels(span.attributes.y, fontSize) : line
        line += span === element ? 0 : pixels(span.attributes.dy, fontSize)
        const text = span.children.reduce((all, { text: title }) => all.replace(title, ''), span.text)
        const width = widthOf(text) * fontSize
        const at = x + pixels(element.attributes.x, fontSize)
        const left = anchor === 'start' ? at : anchor === 'end' ? at - width : at - width / 2
        return { text, left, right: left + width, top: line - 0.75 * fontSize, bottom: line + 0.2 * fontSize }
      })
    })
