/** One search of everything that has a page for operators. */
import { z } from 'zod'
import * as fields from '../fields.ts'
import { route } from '../route.ts'

export const foundThing = z.object({
  kind: z
    .enum(['workspace', 'person', 'mailbox', 'domain', 'invoice'])
    .describe('A domain leads to its workspace.'),
  _id: fields.id.describe('Of its page.'),
  title: z.string(),
  detail: z.string().describe('What tells it from others of the same title.'),
})
export type FoundThing = z.infer<typeof foundThing>

export const findForOperator = route({
  name: 'findForOperator',
  method: 'GET',
  path: '/operator/find',
  summary:
    'Workspaces, people, mailboxes, domains and invoices by an address, a name or a number; what is meant exactly stands first',
  access: 'operator',
  reads: ['operating'],
  query: z.object({ q: fields.operatorSearch }),
  output: z.object({ items: z.array(foundThing) }),
  errors: [],
})
