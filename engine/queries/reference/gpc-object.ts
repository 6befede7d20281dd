import { z } from 'zod'
import { type GpcNode, gpcLevels } from '../../catalog/gpc.ts'

const title = z.string().nullable()

/** A node of GPC by its code, title and level. */
export const gpcForm = z.object({ code: z.string(), title: z.string(), level: z.enum(gpcLevels) })

/** A node of GPC with the titles of its line, null below its own level. */
export const gpcObject = gpcForm
  .extend({ segment: z.string(), family: title, class: title, brick: title })
  .meta({ id: 'GpcObject' })

type Titled = Pick<GpcNode, 'code' | 'title' | 'level' | 'segment' | 'family' | 'class'>

export const formOf = ({ code, title, level }: Titled): z.output<typeof gpcForm> => ({ code, title, level })

export const gpcObjectOf = (node: Titled): z.output<typeof gpcObject> => ({
  ...formOf(node),
  segment: node.segment ?? '',
  family: node.family,
  class: node.class,
  brick: node.level === 'brick' ? node.title : null,
})
