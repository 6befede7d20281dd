import { withCode } from './definition-view.ts'
import { type FirstSteps, firstMinutes } from './first-minutes.ts'
import { type HtmlContent, html } from './html.ts'
import type { LakeFacts } from './lake-facts.ts'
import type { PageContent } from './layout.ts'
import { codeBlock, section } from './parts.ts'
import type { Site } from './site.ts'

const stepsSection = ({ id, title, minutes, commands, about }: FirstSteps): HtmlContent =>
  section(
    id,
    title,
    html`${codeBlock(commands, `Commands of ${title}`)}<p>${withCode(about)}</p>`,
    `${minutes} minutes`,
  )

/** What each kind of user types first. */
export const startPage = (facts: LakeFacts | null, { base_url }: Site): PageContent => ({
  title: 'First minutes | Shelfmark',
  description: 'What an agent developer, an analyst, an engineer and an operator type first.',
  entry: 'start',
  facts,
  body: html`<section aria-labelledby="title"><h1 id="title">First minutes</h1>
<p class="lead">What each kind of user types first. The minutes were measured in an empty folder, with the installation.</p></section>
${firstMinutes(base_url).map(stepsSection)}`,
})
