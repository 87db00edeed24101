/** What the lists of operators have in common: search, order, and pages by cursors to both sides (decision 111). */
import { z } from 'zod'
import * as fields from '../fields.ts'

export const listed = <Order extends z.ZodEnum>(order: Order, usual: z.output<Order>) => ({
  ...fields.page,
  q: fields.operatorSearch,
  order: order.default(usual as never),
  direction: z.enum(['up', 'down']).default('down'),
})

export const pagesOf = <Row extends z.ZodType>(row: Row) =>
  z.object({
    items: z.array(row),
    total: z.number().int().describe('Of all that the search finds.'),
    nextCursor: z.string().nullable(),
    previousCursor: z.string().nullable(),
  })
