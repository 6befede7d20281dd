import { type AnswerValues, type AnyQuery, dayOf, moment, queryId, subjectOf, version } from '../../engine/index.ts'
import { titleOf } from '../contract/openapi.ts'
import { pathWith } from '../http/address.ts'
import { pagePath } from './calls.ts'
import { html, type Markup } from './html.ts'
import type { LakeFacts } from './lake-facts.ts'
import { codeBlock, facts as factList } from './parts.ts'

/** What an answer is quoted by: the query, the parameters, and the day and the snapshot that pin it. */
export type Cited = {
  query: AnyQuery
  params: Readonly<Record<string, string>>
  answer: AnswerValues
  facts: LakeFacts
  base_url: string
}

export const fileTypes = ['csv', 'json', 'svg'] as const
export type FileType = (typeof fileTypes)[number]

export const mediaTypes: Record<FileType, string> = { csv: 'text/csv', json: 'application/json', svg: 'image/svg+xml' }

/** The file that a request for a page prefers by its Accept header; undefined for browsers, which name HTML. */
export const fileTypeOf = (accept = ''): FileType | undefined =>
  accept.includes('text/html') ? undefined : fileTypes.find((type) => accept.includes(mediaTypes[type]))

/** What the address of a file says. */
export type CitedFile = Pick<Cited, 'query' | 'params' | 'facts'>

const pinned = ({ params, facts }: CitedFile): Record<string, string> => ({
  ...params,
  as_of: params.as_of ?? dayOf(facts.now),
})

/** The address of the page with the answer. */
const citedAddress = (cited: Cited): string => cited.base_url + pathWith(pagePath(cited.query), pinned(cited))

/** The path of a file of an answer or a comparison, which never has another content: another snapshot is refused. */
export const filePath = (cited: CitedFile, type: FileType): string =>
  pathWith(`${pagePath(cited.query)}.${type}`, { ...pinned(cited), snapshot: cited.facts.snapshot_id })

/** The path of the page that other sites embed. It follows the data, unlike the files. */
export const embedPath = ({ query, params }: Pick<Cited, 'query' | 'params'>): string =>
  pathWith(`/embed${pagePath(query)}`, params)

/** What the answer is about, in words. */
export const citedTitle = ({ query, answer }: Cited): string => {
  const subject = subjectOf(answer)
  return subject === '' ? titleOf(query) : `${titleOf(query)}: ${subject}`
}

const origin = ({ facts }: Cited): string => (facts.isSample ? ' Sample data, generated.' : '')

const shortCitation = (cited: Cited): string =>
  `Shelfmark (${cited.facts.now.getUTCFullYear()}). ${citedTitle(cited)}.${origin(cited)}`

/** An answer with everything that finds it again: query, definition, snapshot, day and address. */
export const fullCitation = (cited: Cited): string => {
  const { query, facts } = cited
  const day = pinned(cited).as_of!
  return `${shortCitation(cited)} Query ${queryId(query)}, definition of version ${version()}; snapshot ${facts.snapshot_id}, published ${moment(facts.published_at)}; as of ${day}. ${citedAddress(cited)}`
}

const linksOf = (cited: CitedFile): Markup[] =>
  fileTypes.map((type) => html`<a href="${filePath(cited, type)}">${type.toUpperCase()}</a> `)

/** Links to the files of an answer. */
export const fileLinks = (cited: Cited): Markup =>
  html`<p class="files">${linksOf(cited)}<a href="#cite">Cite and embed</a></p>`

/** Links to the files of a comparison. */
export const comparisonLinks = (cited: CitedFile): Markup => html`<p class="files">${linksOf(cited)}</p>`

const snippet = (cited: Cited): string =>
  `<iframe src="${cited.base_url}${embedPath(cited).replaceAll('&', '&amp;')}" title="${citedTitle(cited).replaceAll('"', '&quot;')}" width="100%" height="560" loading="lazy"></iframe>`

/** How to cite an answer, its files, and the code that embeds it. */
export const citation = (cited: Cited): Markup =>
  html`${factList([
    ['Short', shortCitation(cited)],
    ['Full', html`<span class="breaking">${fullCitation(cited)}</span>`],
    [
      'Files',
      html`${linksOf(cited)} Their addresses have the day and the snapshot, so they never have another content: once the service has moved on to another snapshot, they name the file of that one.`,
    ],
    [
      'Embed',
      'The page of the first plot follows the data: it is about the snapshot of the day on which it is loaded.',
    ],
  ])}${codeBlock(snippet(cited), 'Code that embeds the plot')}`

/** The metadata of the answer as a data set, by schema.org. */
export const datasetOf = (cited: Cited): Record<string, unknown> => {
  const { query, params, answer, facts, base_url } = cited
  const { window, country } = answer as { window?: { from: string; to: string } | null; country?: string }
  return {
    '@context': 'https://schema.org',
    '@type': 'Dataset',
    name: citedTitle(cited),
    description: `${query.summary}.${origin(cited)} ${query.definition.population}`,
    url: base_url + pathWith(pagePath(query), params),
    version: facts.snapshot_id,
    dateModified: facts.published_at,
    isAccessibleForFree: true,
    creator: { '@type': 'Organization', name: 'Shelfmark', url: base_url },
    ...(window ? { temporalCoverage: `${window.from}/${window.to}` } : {}),
    ...(country ? { spatialCoverage: country.toUpperCase() } : {}),
    citation: fullCitation(cited),
    distribution: fileTypes.map((type) => ({
      '@type': 'DataDownload',
      encodingFormat: mediaTypes[type],
      contentUrl: base_url + filePath(cited, type),
    })),
  }
}
