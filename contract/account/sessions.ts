/** Where a person is signed in: their browsers, and their mail programs. */
import { z } from 'zod'
import * as fields from '../fields.ts'
import { scope } from '../mail/app-passwords.ts'
import { route } from '../route.ts'

/** A session that nobody uses ends after this, and every session 30 days after it began (decision 119). */
export const IDLE_DAYS = 14

export const session = z.object({
  _id: fields.id,
  /** 'Firefox on Windows'. */
  browser: z.string(),
  /** Of the last use. */
  ip: z.string(),
  createdAt: z.iso.datetime(),
  /** To the minute. */
  lastUsedAt: z.iso.datetime(),
  /** The one that asks. */
  isThis: z.boolean(),
})
export type Session = z.infer<typeof session>

export const listSessions = route({
  name: 'listSessions',
  method: 'GET',
  path: '/sessions',
  summary: 'Where the caller is signed in, the last used first',
  access: 'any-session',
  reads: ['session'],
  output: z.array(session),
  errors: [],
})

export const endSession = route({
  name: 'endSession',
  method: 'DELETE',
  path: '/sessions/{id}',
  summary: 'End a session of the caller: its browser is signed out at once',
  access: 'any-session',
  changes: ['session'],
  params: z.object({ id: z.string() }),
  output: fields.confirmation,
  errors: ['NOT_EXISTS'],
})

export const endOtherSessions = route({
  name: 'endOtherSessions',
  method: 'POST',
  path: '/sessions/end-others',
  summary: 'End every session of the caller but this one',
  access: 'any-session',
  changes: ['session'],
  output: z.object({ ended: z.int() }),
  errors: [],
})

export const signedInProgram = z.object({
  /** The address of the mailbox. */
  mailbox: z.string(),
  mailboxId: fields.id,
  /** Of the app password; null: the holder's own password. */
  name: z.string().nullable(),
  /** What the program says of itself; '' when it says nothing. */
  program: z.string(),
  ip: z.string(),
  scope,
  lastAt: z.iso.datetime(),
})
export type SignedInProgram = z.infer<typeof signedInProgram>

export const listPrograms = route({
  name: 'listPrograms',
  method: 'GET',
  path: '/sessions/programs',
  summary: 'Which mail programs signed in for the caller in the last 90 days, the last used first',
  access: 'any-session',
  reads: ['app-passwords'],
  output: z.array(signedInProgram),
  errors: [],
})

export const openEndingLink = route({
  name: 'openEndingLink',
  method: 'POST',
  path: '/auth/open-ending-link',
  summary: 'Which session a mailed link ends; changes nothing',
  access: 'anyone',
  changes: [],
  body: fields.mailedLink,
  output: z.discriminatedUnion('type', [
    z.object({
      type: z.literal('OPEN'),
      email: z.string(),
      browser: z.string(),
      ip: z.string(),
      createdAt: z.iso.datetime(),
    }),
    z.object({ type: z.literal('ENDED') }),
  ]),
  errors: ['INVALID_SIGNATURE'],
})

export const endSessionByLink = route({
  name: 'endSessionByLink',
  method: 'POST',
  path: '/auth/end-session-by-link',
  summary: 'End the session that a mailed link is for, without signing in; it works once',
  access: 'anyone',
  changes: ['session'],
  body: fields.mailedLink,
  output: z.object({
    email: z.string(),
    /** Of a mailbox: an Admin makes the link that sets a new password. */
    isHolder: z.boolean(),
  }),
  errors: ['INVALID_SIGNATURE', 'LINK_EXPIRED'],
})
