/**
 * Access to a mailbox: its holder, who signs in with its address and sets the password with a link; its readers, who are
 * members of the workspace; and the log of both.
 */
import { z } from 'zod'
import { PASSWORDS_DIFFER, samePassword, signedIn } from '../auth.ts'
import * as fields from '../fields.ts'
import { role } from '../rights.ts'
import { route } from '../route.ts'

export const ACCESS_LINK_DAYS = 7

/**
 * link-made, link-mailed, link-withdrawn: the access link. moved-away, moved-in: a whole domain moved; the entry names the
 * domain instead of a mailbox, and its subject is the other workspace. ended: the last day of a right is over. exported: in the file
 * of everything in the workspace.
 */
export const accessKind = z.enum([
  'link-made',
  'link-mailed',
  'link-withdrawn',
  'accepted',
  'reset',
  'revoked',
  'given',
  'taken-back',
  'taken',
  'gave-back',
  'ended',
  'handed-over',
  'exported',
  'moved-away',
  'moved-in',
])
export type AccessKind = z.infer<typeof accessKind>

export const accessEntry = z.object({
  _id: fields.id,
  at: z.iso.datetime(),
  kind: accessKind,
  mailbox: z.string(),
  actor: z.string().describe('Name of the actor at that time.'),
  subject: z
    .string()
    .describe(
      "The person or address concerned; '' when that is the actor, and for a private address that the caller must not see.",
    ),
  reason: z.string(),
})
export type AccessEntry = z.infer<typeof accessEntry>

export const mailboxReader = z.object({
  _id: fields.id.describe('Id of the user.'),
  name: z.string(),
  email: z.string(),
  isYou: z.boolean(),
  how: z
    .enum(['made', 'given', 'taken', 'holder'])
    .describe("made: the mailbox's creator, until a holder is set up."),
  since: z.iso.datetime(),
  endsAt: z.iso.datetime().nullable().describe('The right ends then; null: it has no end.'),
  canSend: z.boolean().describe('Whether this reader may send as the mailbox.'),
})
export type MailboxReader = z.infer<typeof mailboxReader>

export const mailboxAccess = z.object({
  holder: z
    .object({ since: z.iso.datetime(), lastLoginAt: z.iso.datetime().nullable() })
    .nullable()
    .describe('The person who signs in with the address of the mailbox.'),
  link: z
    .object({
      createdAt: z.iso.datetime(),
      expiresAt: z.iso.datetime(),
      mailedTo: z.string().nullable(),
    })
    .nullable()
    .describe(
      'A link that waits, or has expired unused. Answered only to callers who may make one.',
    ),
  readers: z.array(mailboxReader),
  canSetUp: z
    .boolean()
    .describe('Whether the caller may make a link, which they could open themselves.'),
})
export type MailboxAccess = z.infer<typeof mailboxAccess>

export const takeForm = z.strictObject({
  reason: fields.line(200).trim().optional(),
})

export const linkForm = z.strictObject({ email: fields.emailAddress.optional() })

/** The password rules of sign-up. */
export const acceptFields = z
  .strictObject({ password: fields.newPassword, confirmPassword: fields.confirmNewPassword })
  .refine((form) => form.password === form.confirmPassword, samePassword(PASSWORDS_DIFFER))

/** End of a right: the moment after which it is over. null: it has no end. */
const endOfRight = z.iso.datetime({ offset: true, error: 'Please choose a day' }).nullable()
const person = z.string('Please choose a person').min(1, 'Please choose a person').max(100)

export const giveForm = z.strictObject({
  userId: person,
  endsAt: endOfRight.optional(),
  canSend: z.boolean().optional().describe('Absent: true.'),
})

const byId = z.object({ id: z.string() })
export const accessLog = z.object({
  items: z.array(accessEntry),
  nextCursor: z.string().nullable(),
})

export const getAccess = route({
  name: 'getAccess',
  method: 'GET',
  path: '/mailboxes/{id}/access',
  summary:
    'Who signs in to a mailbox, and who reads it; for its readers and members who see all mailboxes',
  access: 'open-mailboxes',
  reads: ['access'],
  params: byId,
  output: mailboxAccess,
  errors: ['NOT_EXISTS'],
})

export const listAccessEntries = route({
  name: 'listAccessEntries',
  method: 'GET',
  path: '/mailboxes/{id}/access/log',
  summary: 'The access log of a mailbox, newest first',
  access: 'open-mailboxes',
  reads: ['access'],
  params: byId,
  query: z.strictObject(fields.page),
  output: accessLog,
  errors: ['NOT_EXISTS'],
})

export const listAllAccessEntries = route({
  name: 'listAllAccessEntries',
  method: 'GET',
  path: '/access-log',
  summary: 'The access log of all mailboxes of the workspace, also of deleted ones',
  access: 'give-mailboxes',
  reads: ['mailboxes'],
  query: z.strictObject(fields.page),
  output: accessLog,
  errors: [],
})

export const makeAccessLink = route({
  name: 'makeAccessLink',
  method: 'POST',
  path: '/mailboxes/{id}/access/link',
  summary:
    'Make the link that sets the password of the holder; one made before ends. Mailed, it is not answered',
  access: 'set-up-access',
  changes: ['access', 'mailboxes'],
  params: byId,
  body: linkForm,
  output: z.object({
    link: z.string().nullable(),
    mailedTo: z.string().nullable(),
    expiresAt: z.iso.datetime(),
  }),
  errors: ['NOT_EXISTS', 'ACCOUNT_HAS_ADDRESS'],
  status: 201,
})

export const withdrawAccessLink = route({
  name: 'withdrawAccessLink',
  method: 'DELETE',
  path: '/mailboxes/{id}/access/link',
  summary: 'Withdraw the link that was not used yet',
  access: 'set-up-access',
  changes: ['access', 'mailboxes'],
  params: byId,
  output: fields.confirmation,
  errors: ['NOT_EXISTS'],
})

export const revokeAccess = route({
  name: 'revokeAccess',
  method: 'DELETE',
  path: '/mailboxes/{id}/access',
  summary:
    'End the access of the holder, with every session and the link that waits; the mail stays',
  access: 'set-up-access',
  changes: ['access', 'mailboxes'],
  params: byId,
  output: fields.confirmation,
  errors: ['NOT_EXISTS'],
})

export const giveMailbox = route({
  name: 'giveMailbox',
  method: 'POST',
  path: '/mailboxes/{id}/readers',
  summary:
    'Let a member of the workspace, or the holder of another mailbox of it, read a mailbox; given again, the new end and right to send count',
  access: 'give-mailboxes',
  changes: ['access', 'mailboxes'],
  params: byId,
  body: giveForm,
  output: mailboxReader,
  errors: ['NOT_EXISTS'],
  status: 201,
})

export const personToGive = z.object({
  _id: fields.id.describe('Id of the user.'),
  name: z.string(),
  email: z.string(),
  role: z
    .enum([...role.options, 'Holder'])
    .describe('Holder: signs in with the address of a mailbox of this workspace.'),
})
export type PersonToGive = z.infer<typeof personToGive>

export const MOST_PEOPLE = 50

export const listPeople = route({
  name: 'listPeople',
  method: 'GET',
  path: '/people',
  summary: `Who can be given a mailbox: members and holders of the workspace, the first ${MOST_PEOPLE} that match`,
  access: 'give-mailboxes',
  reads: ['members', 'mailboxes'],
  query: z.strictObject({ q: fields.line(200).optional() }),
  output: z.array(personToGive),
  errors: [],
})

export const handOverForm = z.strictObject({
  userId: person,
  endsAt: endOfRight.optional(),
  canSend: z.boolean().optional().describe('Absent: true.'),
  replyText: fields
    .multiline(10_000)
    .trim()
    .optional()
    .describe("Automatic reply; '': none is turned on."),
})

export const handOver = route({
  name: 'handOver',
  method: 'POST',
  path: '/mailboxes/{id}/hand-over',
  summary:
    'End the sign-in of the holder with every session and link, give the mailbox to a colleague, and turn an automatic reply on: all or nothing',
  access: 'give-mailboxes',
  changes: ['access', 'mailboxes', 'settings'],
  params: byId,
  body: handOverForm,
  output: mailboxReader,
  errors: ['NOT_EXISTS'],
  status: 201,
})

export const takeRight = route({
  name: 'takeRight',
  method: 'POST',
  path: '/mailboxes/{id}/readers/me',
  summary: 'Give yourself the right to read a mailbox; it is logged and shown to its holder',
  access: 'give-mailboxes',
  changes: ['access', 'mailboxes'],
  params: byId,
  body: takeForm,
  output: mailboxReader,
  errors: ['NOT_EXISTS'],
  status: 201,
})

export const takeMailboxBack = route({
  name: 'takeMailboxBack',
  method: 'DELETE',
  path: '/mailboxes/{id}/readers/{userId}',
  summary: 'End the right of a person to read a mailbox; readers may end their own',
  access: 'open-mailboxes',
  changes: ['access', 'mailboxes'],
  params: byId.extend({ userId: z.string() }),
  output: fields.confirmation,
  errors: ['NOT_EXISTS'],
})

export const openedAccess = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('OPEN'),
    email: z.string(),
    workspaceName: z.string(),
    isReset: z
      .boolean()
      .describe('true: the mailbox has a holder, and the link sets a new password.'),
  }),
  z.object({ type: z.enum(['EXPIRED', 'USED', 'WITHDRAWN']) }),
])
export type OpenedAccess = z.infer<typeof openedAccess>

export const openAccess = route({
  name: 'openAccess',
  method: 'POST',
  path: '/access/open',
  summary: 'Which mailbox a link is for; changes nothing',
  access: 'anyone',
  changes: [],
  body: fields.mailedLink,
  output: openedAccess,
  errors: ['INVALID_SIGNATURE'],
})

export const acceptAccess = route({
  name: 'acceptAccess',
  method: 'POST',
  path: '/access/accept',
  summary:
    'Set the password of the holder with the link, once, and sign in; sessions before it end',
  access: 'anyone',
  changes: ['access', 'mailboxes'],
  notAudited: 'The feature records it, since the workspace is known only then',
  body: z
    .strictObject({
      password: fields.newPassword,
      confirmPassword: fields.confirmNewPassword,
      session: fields.linkToken,
    })
    .refine((form) => form.password === form.confirmPassword, samePassword(PASSWORDS_DIFFER)),
  /** `session` is null while the mailbox is suspended. */
  output: z.object({ email: z.string(), session: signedIn.nullable() }),
  errors: ['INVALID_SIGNATURE', 'LINK_EXPIRED', 'ACCOUNT_HAS_ADDRESS'],
})
