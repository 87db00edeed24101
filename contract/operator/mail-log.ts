/** What the log says of single mails, as operators search it: addresses and replies, never content. */
import { z } from 'zod'
import * as fields from '../fields.ts'
import { route } from '../route.ts'

export const mailOutcome = z.enum(['accepted', 'refused', 'delivered', 'deferred', 'bounced'])
export type MailOutcome = z.infer<typeof mailOutcome>

export const loggedMail = z.object({
  _id: fields.id,
  at: z.iso.datetime(),
  outcome: mailOutcome,
  from: z.string().describe("'' for a bounce."),
  to: z.string().describe("'' when it was refused before a recipient was named."),
  peer: z
    .string()
    .describe(
      "The client's IP address, or the name of the server that was asked; '' for a delivery on this machine.",
    ),
  reply: z.string().describe('What was said: the SMTP reply, or the id of an accepted mail.'),
  times: z.number().int().describe('How often within some seconds.'),
})
export type LoggedMail = z.infer<typeof loggedMail>

export const findLoggedMails = route({
  name: 'findLoggedMails',
  method: 'GET',
  path: '/operator/mails',
  summary: 'What became of the mails of an address or a domain in the last 14 days, newest first',
  access: 'operator',
  reads: ['operating'],
  query: z.object({ ...fields.page, q: fields.loggedAddress }),
  output: z.object({ items: z.array(loggedMail), nextCursor: z.string().nullable() }),
  errors: ['VALIDATION'],
})
