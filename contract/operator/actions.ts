/** What operators did, as other operators read it. */
import { z } from 'zod'
import * as fields from '../fields.ts'
import { route } from '../route.ts'
import { listed, pagesOf } from './paged-list.ts'

export const actionOrder = z.enum(['at'])
export type ActionOrder = z.infer<typeof actionOrder>

/** As they are typed at the terminal. */
export const operatorVerb = z.enum([
  ...(['operator link', 'operator add', 'operator remove'] as const),
  ...(['workspace suspend', 'workspace resume', 'workspace quota'] as const),
  ...([
    'workspace export',
    'workspace delete',
    'workspace restore',
    'user export',
    'user delete',
  ] as const),
  ...(['user reset-link', 'user make-admin', 'user end-sessions', 'user reset-factor'] as const),
  ...(['queue retry', 'queue hold', 'queue release', 'queue drop'] as const),
  ...(['sender stop', 'sender resume'] as const),
  ...(['announce', 'announce end'] as const),
  ...(['key end'] as const),
  ...(['blocklist add', 'blocklist remove'] as const),
  ...(['invoice paid', 'invoice void', 'invoice refund', 'domain limit'] as const),
  ...(['setting change'] as const),
  ...(['certificate ask', 'certificate revoke'] as const),
  ...(['backup', 'restore', 'mailbox restore'] as const),
  ...(['upgrade finish'] as const),
])
export type OperatorVerb = z.infer<typeof operatorVerb>

export const operatorAction = z.object({
  _id: fields.id,
  at: z.iso.datetime(),
  operator: z.string().describe("An e-mail address, or 'terminal'."),
  verb: operatorVerb,
  workspaceId: fields.id.nullable(),
  subject: z.string(),
  detail: z.string(),
})
export type OperatorAction = z.infer<typeof operatorAction>

export const listOperatorActions = route({
  name: 'listOperatorActions',
  method: 'GET',
  path: '/operator/actions',
  summary: 'What operators did',
  access: 'operator',
  reads: ['operating'],
  query: z.object(listed(actionOrder, 'at')),
  output: pagesOf(operatorAction),
  errors: [],
})
