/** Server-sent events of GET /events: what changed, so that the browser reads its lists again. */
import { z } from 'zod'
import { route } from './route.ts'
import { TOPICS } from './subjects.ts'

export const changed = z.object({
  topic: z.enum(TOPICS),
  workspaceId: z.string().describe("'' for announcements, which are for everybody."),
  mailboxId: z.string().optional().describe('Set for messages.'),
  modseq: z
    .number()
    .int()
    .optional()
    .describe(
      'Of the mailbox, after the change (decision 086): who has lists as of this one has the change.',
    ),
})
export type Changed = z.infer<typeof changed>

/** Each event is one `data:` line with a Changed as JSON; a comment line is a heartbeat. */
export const readEvents = route({
  name: 'readEvents',
  method: 'GET',
  path: '/events',
  summary: "What changes in the user's workspaces, as it happens",
  description:
    'An endless answer of server-sent events. Each `data:` line is JSON: what changed (`topic`), in which workspace, and in which mailbox. It says that a list is out of date, not what is new. A comment line is a heartbeat. Reconnect when the connection ends, and read the lists again.',
  access: 'any-session',
  reads: [],
  output: changed,
  contentType: 'text/event-stream',
  errors: [],
})
