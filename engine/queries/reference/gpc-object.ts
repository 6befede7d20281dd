import { z } from 'zod'
import { type GpcNode, gpcLevels } from '../../catalog/gpc.ts'
import { field } from '../../contract/field.ts'

/** A node of GPC by its code, title and level. */
export const gpcForm = z.object({
  code: field.text('GPC code of 8 digits.'),
  title: field.text('Title of the code.'),
  level: field.choice(gpcLevels, 'Level of the code; brick is the finest.'),
})

/** A GPC node with the titles of its ancestors, null below its own level. */
export const gpcObject = gpcForm
  .extend({
    segment: field.text('Title of the segment.'),
    family: field.text('Title of the family; null above that level.').nullable(),
    class: field.text('Title of the class; null above that level.').nullable(),
    brick: field.text('Title of the brick; null above that level.').nullable(),
  })
  .meta({ id: 'GpcObject', description: 'A code of GS1 Global Product Classification (GPC) with those above it.' })

type TitledNode = Pick<GpcNode, 'code' | 'title' | 'level' | 'segment' | 'family' | 'class'>

export const formOf = ({ code, title, level }: TitledNode): z.output<typeof gpcForm> => ({ code, title, level })

export const gpcObjectOf = (node: TitledNode): z.output<typeof gpcObject> => ({
  ...formOf(node),
  segment: node.segment ?? '',
  family: node.family,
  class: node.class,
  brick: node.level === 'brick' ? node.title : null,
})
