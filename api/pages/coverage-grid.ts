import { ageText, type CoverageCell, capitalised, countryName, DAY_MS, groupBy, number } from '../../engine/index.ts'
import { type HtmlContent, html, type Markup } from './html.ts'
import type { LakeFacts } from './lake-facts.ts'

/** Cells with more products than these are tinted more strongly. */
const TINTS = [100, 200, 400]
/** From this age on a price is no current price. */
const CURRENT_DAYS = 90

const tintOf = (count: number): number => 1 + TINTS.filter((limit) => count >= limit).length

const gridCell = (cell: CoverageCell | undefined): Markup => {
  if (!cell)
    return html`<td class="none"><span class="visually-hidden">not carried</span><span aria-hidden="true">·</span></td>`
  const { quality_status, recent_priced_product_count: count } = cell
  if (quality_status === 'stale') return html`<td class="stale">stale</td>`
  if (quality_status === 'thin')
    return html`<td class="thin"><span>${number(count)}<span class="visually-hidden"> thin</span></span></td>`
  return html`<td class="tint-${tintOf(count)}">${number(count)}</td>`
}

const newestOf = (cells: readonly CoverageCell[]): string | null =>
  cells
    .flatMap(({ last_observed_at }) => last_observed_at ?? [])
    .sort()
    .at(-1) ?? null

const totalOf = (cells: readonly CoverageCell[]): number =>
  cells.reduce((sum, cell) => sum + cell.recent_priced_product_count, 0)

/** `beauty-and-personal-care` as `Beauty & personal care`. */
const departmentTitle = (path: string): string => capitalised(path.replaceAll('-and-', ' & ').replaceAll('-', ' '))

const gridRow = (
  platform: string,
  cells: readonly CoverageCell[],
  departments: readonly string[],
  now: Date,
): Markup => {
  const newest = newestOf(cells)
  const isOld = newest === null || now.getTime() - Date.parse(newest) > CURRENT_DAYS * DAY_MS
  return html`<tr><th scope="row">${platform}</th>${departments.map((department) => gridCell(cells.find(({ category_root }) => category_root === department)))}<td>${number(totalOf(cells))}</td><td class="newest${isOld && ' old'}">${newest === null ? '–' : html`<time datetime="${newest}">${ageText(now.getTime() - Date.parse(newest))}</time>`}</td></tr>\n`
}

export const coverageKey: Markup = html`<ul class="key"><li><span class="swatch tint-1" aria-hidden="true"></span>under ${TINTS[0]}</li><li><span class="swatch tint-2" aria-hidden="true"></span>${TINTS[0]} to ${TINTS[1]! - 1}</li><li><span class="swatch tint-3" aria-hidden="true"></span>${TINTS[1]} to ${TINTS[2]! - 1}</li><li><span class="swatch tint-4" aria-hidden="true"></span>${TINTS[2]} products or more</li><li><span class="swatch swatch-hatch" aria-hidden="true"></span>thin</li><li><span class="swatch swatch-stale" aria-hidden="true"></span>stale</li><li>· not carried</li></ul>`

/** The shelves of a country: products with a price in the last 90 days, by retailer and department. */
export const coverageGrid = ({ cells, now }: LakeFacts, country: string): HtmlContent => {
  const covered = cells.filter((cell) => cell.country === country)
  if (covered.length === 0) return html`<p class="lead">No retailer is covered.</p>`
  const departments = [...new Set(covered.map(({ category_root }) => category_root))].sort(
    (a, b) => Number(a === 'uncategorized') - Number(b === 'uncategorized') || a.localeCompare(b, 'en'),
  )
  const byPlatform = groupBy(covered, ({ platform }) => platform)
  const rows = [...byPlatform].toSorted(([, a], [, b]) => totalOf(b) - totalOf(a))
  const caption = `Products with a price in the last ${CURRENT_DAYS} days, by retailer and department, ${countryName(country)}`
  return html`<div class="scroll" role="region" tabindex="0" aria-label="${caption}"><table class="grid"><caption class="visually-hidden">${caption}</caption>
<thead><tr><th scope="col">Retailer</th>${departments.map((path) => html`<th scope="col">${departmentTitle(path)}</th>`)}<th scope="col">Total</th><th scope="col">Newest price</th></tr></thead><tbody>
${rows.map(([platform, covered]) => gridRow(platform, covered, departments, now))}</tbody></table></div>`
}

/** How many shelves of a country have each status. */
export const shelfCounts = (
  { cells }: LakeFacts,
  country: string,
): Readonly<Record<CoverageCell['quality_status'] | 'all', number>> => {
  const covered = cells.filter((cell) => cell.country === country && cell.category_root !== 'uncategorized')
  const of = (status: string) => covered.filter(({ quality_status }) => quality_status === status).length
  return { all: covered.length, serving: of('serving'), thin: of('thin'), stale: of('stale') }
}
