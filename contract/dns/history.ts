/** How the records of a domain changed. */
import { z } from 'zod'
import { recordPurpose, recordState } from '../domains.ts'
import * as fields from '../fields.ts'
import { route } from '../route.ts'

const said = z.object({
  state: recordState,
  /** At most five, each at most 500 characters. */
  values: z.array(z.string()),
})

/** One definite answer of DNS that differed from the one before. */
export const recordChange = z.object({
  _id: fields.id,
  purpose: recordPurpose,
  at: z.iso.datetime(),
  from: said,
  to: said,
})
export type RecordChange = z.infer<typeof recordChange>

export const listRecordChanges = route({
  method: 'GET',
  path: '/dns-records/history/{id}',
  summary: 'How the records of a domain changed, newest first; the last fifty times of each',
  access: 'see-domains',
  reads: ['domains'],
  params: z.object({ id: z.string() }),
  query: z.strictObject({ ...fields.page, purpose: recordPurpose.optional() }),
  output: z.object({ items: z.array(recordChange), nextCursor: z.string().nullable() }),
  errors: ['NOT_EXISTS'],
})
