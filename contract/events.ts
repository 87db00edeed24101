/** Server-sent events of GET /events: what changed, so that the browser reads its lists again. */
import { z } from 'zod'
import { route } from './route.ts'
import { TOPICS } from './subjects.ts'

export const changed = z.object({
  topic: z.enum(TOPICS),
  /** '' for announcements, which are for everybody. */
  workspaceId: z.string(),
  /** Set for messages. */
  mailboxId: z.string().optional(),
  /** Of the mailbox, after the change (decision 086): who has lists as of this one has the change. */
  modseq: z.number().int().optional(),
})
export type Changed = z.infer<typeof changed>

/** Each event is one `data:` line with a Changed as JSON; a comment line is a heartbeat. */
export const readEvents = route({
  method: 'GET',
  path: '/events',
  summary: "What changes in the user's workspaces, as it happens",
  access: 'any-session',
  reads: [],
  output: z.string(),
  contentType: 'text/event-stream',
  errors: [],
})
