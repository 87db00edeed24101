/** Links with which the holders of many mailboxes set their passwords, in one call. */
import { z } from 'zod'
import * as fields from '../fields.ts'
import { route } from '../route.ts'

export const MOST_ACCESS_LINKS = 200

/** One link per mailbox; `email` is the private address that it is mailed to. */
export const linksForm = z.strictObject({
  links: z
    .array(z.strictObject({ mailboxId: fields.line(100), email: fields.emailAddress.optional() }))
    .min(1, 'At least one mailbox must be selected')
    .max(MOST_ACCESS_LINKS, `At most ${MOST_ACCESS_LINKS} mailboxes at once`),
})

export const madeLinkOfMany = z.object({
  mailboxId: z.string(),
  email: z.string().describe("Address of the mailbox; '' when there is no such mailbox."),
  link: z.string().nullable(),
  mailedTo: z.string().nullable(),
  expiresAt: z.iso.datetime().nullable(),
  refusal: z.string().nullable().describe('Why no link was made; null when it was.'),
  retryAt: z.iso
    .datetime()
    .nullable()
    .describe('When it can be tried again, for a refusal that passes.'),
})
export type MadeLinkOfMany = z.infer<typeof madeLinkOfMany>

export const makeAccessLinks = route({
  name: 'makeAccessLinks',
  method: 'POST',
  path: '/mailboxes/access-links',
  summary:
    'Make access links for many mailboxes without a holder, each for itself: a refused one does not stop the others',
  access: 'set-up-access',
  changes: ['access', 'mailboxes'],
  body: linksForm,
  output: z.object({ items: z.array(madeLinkOfMany) }),
  errors: [],
  status: 201,
})

export const getAccessLinkRoom = route({
  name: 'getAccessLinkRoom',
  method: 'GET',
  path: '/mailboxes/access-links',
  summary: 'How many access links the caller can still mail today',
  access: 'set-up-access',
  reads: ['access'],
  output: z.object({
    left: z.int(),
    moreAt: z.iso
      .datetime()
      .nullable()
      .describe('When there is room for more; null while none was mailed.'),
  }),
  errors: [],
})
