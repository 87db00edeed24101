/** The senders and networks that operators block or allow, for all incoming mail of an installation. */
import { z } from 'zod'
import * as fields from '../fields.ts'
import { route } from '../route.ts'
import { listed, pagesOf } from './paged-list.ts'

export const listAction = z.enum(['block', 'allow'])

export const listedSender = z.object({
  _id: fields.id,
  kind: z.enum(['network', 'address', 'domain']),
  value: z
    .string()
    .describe('A single IP address without its length; a domain stands for its subdomains, too.'),
  action: listAction,
  note: z.string(),
  endsAt: z.iso.datetime().nullable().describe('null: it stays.'),
  madeBy: z.string().describe("An e-mail address, or 'terminal'."),
  madeAt: z.iso.datetime(),
})
export type ListedSender = z.infer<typeof listedSender>

export const listedOrder = z.enum(['since'])
export type ListedOrder = z.infer<typeof listedOrder>

export const listListedSenders = route({
  name: 'listListedSenders',
  method: 'GET',
  path: '/operator/lists',
  summary: 'The senders and networks that are blocked or allowed',
  access: 'operator',
  reads: ['operating'],
  query: z.object(listed(listedOrder, 'since')),
  output: pagesOf(listedSender),
  errors: [],
})

export const addedSender = z.strictObject({
  value: fields.listedSender,
  action: listAction,
  note: fields.operatorNote,
  endsAt: fields.optionalEnd,
})
export type AddedSender = z.infer<typeof addedSender>

export const addListedSender = route({
  name: 'addListedSender',
  method: 'POST',
  path: '/operator/lists',
  summary: 'Block or allow a sender or a network; one that is listed is changed',
  access: 'operator',
  changes: ['operating'],
  body: addedSender,
  output: listedSender,
  errors: ['STATUS_NOT_ALLOWED'],
})

export const removeListedSender = route({
  name: 'removeListedSender',
  method: 'DELETE',
  path: '/operator/lists/{id}',
  summary: 'Neither block nor allow it any more',
  access: 'operator',
  changes: ['operating'],
  params: z.object({ id: z.string() }),
  output: fields.confirmation,
  errors: ['NOT_EXISTS'],
})
