/**
 * Who gets into a mailbox: its holder, who signs in with its address and sets a password with a link; the members who may
 * read it; and what is written down about both.
 */
import { z } from 'zod'
import { PASSWORDS_DIFFER, samePassword } from '../auth.ts'
import * as fields from '../fields.ts'
import { route } from '../route.ts'

export const ACCESS_LINK_DAYS = 7

/**
 * link-made, link-mailed, link-withdrawn: of the link. moved-away, moved-in: of a whole domain, which stands where others
 * name their mailbox; the subject is the other workspace. The others say what they are.
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
  'moved-away',
  'moved-in',
])
export type AccessKind = z.infer<typeof accessKind>

export const accessEntry = z.object({
  _id: fields.id,
  at: z.iso.datetime(),
  kind: accessKind,
  mailbox: z.string(),
  /** Who did it, as they were called. */
  actor: z.string(),
  /** Whom or which address it is about; '' when that is the actor. */
  subject: z.string(),
  reason: z.string(),
})
export type AccessEntry = z.infer<typeof accessEntry>

export const mailboxReader = z.object({
  /** Of the user. */
  _id: fields.id,
  name: z.string(),
  email: z.string(),
  isYou: z.boolean(),
  /** made: whoever made the mailbox; that right ends when its holder comes. */
  how: z.enum(['made', 'given', 'taken', 'holder']),
  since: z.iso.datetime(),
})
export type MailboxReader = z.infer<typeof mailboxReader>

export const mailboxAccess = z.object({
  /** Who signs in with the address of the mailbox. */
  holder: z
    .object({ since: z.iso.datetime(), lastLoginAt: z.iso.datetime().nullable() })
    .nullable(),
  /** One that waits, or has run out unused. Told to whoever may make one. */
  link: z
    .object({
      createdAt: z.iso.datetime(),
      expiresAt: z.iso.datetime(),
      mailedTo: z.string().nullable(),
    })
    .nullable(),
  readers: z.array(mailboxReader),
  /** Whether the caller may make a link: they could open it themselves. */
  canSetUp: z.boolean(),
})
export type MailboxAccess = z.infer<typeof mailboxAccess>

export const takeForm = z.strictObject({
  reason: fields.line(200).trim().optional(),
})

export const linkForm = z.strictObject({ email: fields.emailAddress.optional() })

/** The password of sign-up, since this is one. */
export const acceptFields = z
  .strictObject({ password: fields.newPassword, confirmPassword: fields.confirmNewPassword })
  .refine((form) => form.password === form.confirmPassword, samePassword(PASSWORDS_DIFFER))

const byId = z.object({ id: z.string() })
const said = z.object({ message: z.string() })
const entries = z.object({ items: z.array(accessEntry), nextCursor: z.string().nullable() })

export const getAccess = route({
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
  method: 'GET',
  path: '/mailboxes/{id}/access/log',
  summary: 'The access log of a mailbox, newest first',
  access: 'open-mailboxes',
  reads: ['access'],
  params: byId,
  query: z.strictObject(fields.page),
  output: entries,
  errors: ['NOT_EXISTS'],
})

export const listAllAccessEntries = route({
  method: 'GET',
  path: '/access-log',
  summary: 'The access log of all mailboxes of the workspace, also of deleted ones',
  access: 'give-mailboxes',
  reads: ['mailboxes'],
  query: z.strictObject(fields.page),
  output: entries,
  errors: [],
})

export const makeAccessLink = route({
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
  method: 'DELETE',
  path: '/mailboxes/{id}/access/link',
  summary: 'Withdraw the link that was not used yet',
  access: 'set-up-access',
  changes: ['access', 'mailboxes'],
  params: byId,
  output: said,
  errors: ['NOT_EXISTS'],
})

export const revokeAccess = route({
  method: 'DELETE',
  path: '/mailboxes/{id}/access',
  summary:
    'End the access of the holder, with every session and the link that waits; the mail stays',
  access: 'set-up-access',
  changes: ['access', 'mailboxes'],
  params: byId,
  output: said,
  errors: ['NOT_EXISTS'],
})

export const giveMailbox = route({
  method: 'POST',
  path: '/mailboxes/{id}/readers',
  summary: 'Let a member of the workspace read a mailbox and write from it',
  access: 'give-mailboxes',
  changes: ['access', 'mailboxes'],
  params: byId,
  body: z.strictObject({
    userId: z.string('Please choose a person').min(1, 'Please choose a person').max(100),
  }),
  output: mailboxReader,
  errors: ['NOT_EXISTS'],
  status: 201,
})

export const takeRight = route({
  method: 'POST',
  path: '/mailboxes/{id}/readers/me',
  summary: 'Take the right to read a mailbox; it is written down, and shown to its holder',
  access: 'give-mailboxes',
  changes: ['access', 'mailboxes'],
  params: byId,
  body: takeForm,
  output: mailboxReader,
  errors: ['NOT_EXISTS'],
  status: 201,
})

export const takeMailboxBack = route({
  method: 'DELETE',
  path: '/mailboxes/{id}/readers/{userId}',
  summary: 'End the right of a member to read a mailbox; anybody may give their own back',
  access: 'see-workspace',
  changes: ['access', 'mailboxes'],
  params: byId.extend({ userId: z.string() }),
  output: said,
  errors: ['NOT_EXISTS'],
})

export const openedAccess = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('OPEN'),
    email: z.string(),
    workspaceName: z.string(),
    /** The mailbox has a holder: this sets a new password. */
    isReset: z.boolean(),
  }),
  z.object({ type: z.enum(['EXPIRED', 'USED', 'WITHDRAWN']) }),
])
export type OpenedAccess = z.infer<typeof openedAccess>

export const openAccess = route({
  method: 'POST',
  path: '/access/open',
  summary: 'Which mailbox a link is for; changes nothing',
  access: 'anyone',
  changes: [],
  body: z.strictObject({ session: fields.linkToken }),
  output: openedAccess,
  errors: ['INVALID_SIGNATURE'],
})

export const acceptAccess = route({
  method: 'POST',
  path: '/access/accept',
  summary: 'Set the password of the holder with the link, once; sessions before it end',
  access: 'anyone',
  changes: ['access', 'mailboxes'],
  body: z
    .strictObject({
      password: fields.newPassword,
      confirmPassword: fields.confirmNewPassword,
      session: fields.linkToken,
    })
    .refine((form) => form.password === form.confirmPassword, samePassword(PASSWORDS_DIFFER)),
  output: z.object({ email: z.string() }),
  errors: ['INVALID_SIGNATURE', 'LINK_EXPIRED', 'ACCOUNT_HAS_ADDRESS'],
})
