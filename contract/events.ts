/** Server-sent events of GET /events: what changed, so that lists are read again. */
import { z } from 'zod'

export const changed = z.object({
  topic: z.enum(['domains', 'mailboxes', 'messages', 'invoices', 'workspaces']),
  workspaceId: z.string(),
  /** For messages. */
  mailboxId: z.string().optional(),
})
export type Changed = z.infer<typeof changed>
