import type { McpServer } from '@modelcontextprotocol/server'
import { queryId } from '../../engine/index.ts'
import { queriesOf, type Skill, skillHead, skills } from '../contract/skill-list.ts'

const MARKDOWN = 'text/markdown'

const skillText = (skill: Skill): string =>
  [
    ...skillHead(skill),
    '## Queries',
    'Ask them with the tool `ask`; `describe_query` has the parameters of each.',
    queriesOf(skill)
      .map((query) => `- ${queryId(query)}: ${query.summary}`)
      .join('\n'),
    '',
  ].join('\n\n')

/** Adds the skills as resources; not that of paying, which this server does itself. */
export const addSkills = (server: McpServer): void => {
  for (const skill of skills.filter(({ groups }) => groups.length > 0)) {
    const { name, title, description } = skill
    const uri = `skill://${name}/SKILL.md`
    server.registerResource(name, uri, { title, description, mimeType: MARKDOWN }, () => ({
      contents: [{ uri, mimeType: MARKDOWN, text: skillText(skill) }],
    }))
  }
}
