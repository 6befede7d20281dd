import { createHash } from 'node:crypto'
import { type ParamsOf, queryText } from './llms.ts'
import { guidance, type Terms } from './openapi-payment.ts'
import { queriesOf, type Skill, skillHead, skills } from './skill-list.ts'

const skillText = (skill: Skill, base_url: string, terms: Terms, paramsOf: ParamsOf) =>
  [
    ...skillHead(skill),
    guidance(terms),
    ...(skill.groups.length > 0
      ? [
          '## Queries',
          queriesOf(skill)
            .map((query) => queryText(query, base_url, paramsOf))
            .join('\n'),
        ]
      : []),
    `Every parameter: ${base_url}/llms.txt. What a query means, with every field: ${base_url}/queries/GROUP/NAME with Accept: text/markdown.`,
    '',
  ].join('\n\n')

const FOLDER = '/.well-known/agent-skills'
/** Where agents look for skills. */
export const SKILL_INDEX = `${FOLDER}/index.json`

/** The skills by the path of their document. */
export const skillDocuments = (terms: Terms) =>
  skills.map(
    (skill) =>
      [
        `${FOLDER}/${skill.name}/SKILL.md`,
        (base_url: string, paramsOf: ParamsOf) => skillText(skill, base_url, terms, paramsOf),
      ] as const,
  )

/** The index of the skills, each with the SHA-256 of its document (Agent Skills Discovery 0.2.0). */
export const skillIndex = (base_url: string, terms: Terms, paramsOf: ParamsOf): string =>
  JSON.stringify({
    $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
    skills: skills.map((skill) => ({
      name: skill.name,
      type: 'skill-md',
      description: skill.description,
      url: `${FOLDER}/${skill.name}/SKILL.md`,
      digest: `sha256:${createHash('sha256')
        .update(skillText(skill, base_url, terms, paramsOf))
        .digest('hex')}`,
    })),
  })
