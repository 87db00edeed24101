/** App passwords: each opens one mailbox to one mail program of one of its readers, for reading, sending or both (decision 096). */
import { z } from 'zod'
import * as fields from '../fields.ts'
import { route } from '../route.ts'

/** imap: mail programs read and file mail; smtp: they send it. */
export const scope = fields.appPasswordScopes.element
export type Scope = z.infer<typeof scope>

/** Of one person in one mailbox. */
export const MAX_APP_PASSWORDS = 50

export const appPassword = z.object({
  _id: fields.id,
  name: z.string(),
  scopes: z.array(scope),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().nullable().describe('null: it has no end.'),
  lastUsedAt: z.iso.datetime().nullable().describe('To the minute; null: never used.'),
  lastUsedIp: z.string().nullable(),
  lastUsedFor: scope.nullable(),
  lastProgram: z.string().describe("What the program says of itself; '' when it says nothing."),
})
export type AppPassword = z.infer<typeof appPassword>

/** The password can be typed without its dashes, and in capitals. */
export const madeAppPassword = appPassword.extend({ password: z.string() })
export type MadeAppPassword = z.infer<typeof madeAppPassword>

export const appPasswordForm = z.strictObject({
  name: fields.appPasswordName,
  scopes: fields.appPasswordScopes,
  expiresAt: fields.appPasswordEnd.optional(),
})

/** A network from which a password was used. */
export const programUse = z.object({
  name: z
    .string()
    .nullable()
    .describe("Name of the app password; null: the holder's own password."),
  program: z.string().describe("What the program says of itself; '' when it says nothing."),
  ip: z.string().describe('Of the last use, as is `scope`.'),
  scope,
  firstAt: z.iso.datetime(),
  lastAt: z.iso.datetime(),
})
export type ProgramUse = z.infer<typeof programUse>

export const MOST_PROGRAM_USES = 100

const params = z.object({ id: z.string() })

export const listAppPasswords = route({
  name: 'listAppPasswords',
  method: 'GET',
  path: '/mailboxes/{id}/app-passwords',
  summary: 'The caller’s own app passwords of a mailbox, newest first, with their last use',
  access: 'open-mailboxes',
  reads: ['app-passwords'],
  params,
  output: z.array(appPassword),
  errors: ['NOT_EXISTS'],
})

export const listProgramUses = route({
  name: 'listProgramUses',
  method: 'GET',
  path: '/mailboxes/{id}/program-uses',
  summary: `Where mail programs used the passwords of the caller, their own one too: the last ${MOST_PROGRAM_USES} networks`,
  access: 'open-mailboxes',
  reads: ['app-passwords'],
  params,
  output: z.array(programUse),
  errors: ['NOT_EXISTS'],
})

export const makeAppPassword = route({
  name: 'makeAppPassword',
  method: 'POST',
  path: '/mailboxes/{id}/app-passwords',
  summary: 'Make an app password for a mailbox that the caller reads; it is answered this once',
  access: 'open-mailboxes',
  changes: ['app-passwords'],
  params,
  body: appPasswordForm,
  output: madeAppPassword,
  errors: ['NOT_EXISTS', 'APP_PASSWORD_LIMIT'],
  status: 201,
})

export const endAppPassword = route({
  name: 'endAppPassword',
  method: 'DELETE',
  path: '/mailboxes/{id}/app-passwords/{appPasswordId}',
  summary: 'End an app password of the caller, and the connections that were opened with it',
  access: 'open-mailboxes',
  changes: ['app-passwords'],
  params: params.extend({ appPasswordId: z.string() }),
  output: fields.confirmation,
  errors: ['NOT_EXISTS'],
})
