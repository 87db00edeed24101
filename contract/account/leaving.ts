/** A person takes what the installation knows of them, and leaves it. */
import { z } from 'zod'
import * as fields from '../fields.ts'
import { route } from '../route.ts'
import { namedWorkspace } from '../workspaces.ts'

/** From asking until the account ends. */
export const LEAVING_DAYS = 14

export const leaving = z.object({
  /** When the account ends; null: it stays. */
  endsAt: z.iso.datetime().nullable(),
  /** Workspaces that would have no Admin any more: hand them over, or delete them, first. */
  lastAdminOf: z.array(namedWorkspace),
  /** Nobody else operates this installation. */
  isLastOperator: z.boolean(),
})
export type Leaving = z.infer<typeof leaving>

export const getLeaving = route({
  name: 'getLeaving',
  method: 'GET',
  path: '/account/leaving',
  summary: 'Whether the account of the caller ends, and what has to be done before it can',
  access: 'signed-in',
  reads: ['profile', 'members', 'workspaces'],
  output: leaving,
  errors: [],
})

export const leave = route({
  name: 'leave',
  method: 'POST',
  path: '/account/leaving',
  summary: `Let the account of the caller end in ${LEAVING_DAYS} days; until then it works, and it can be kept`,
  access: 'signed-in',
  changes: ['profile'],
  asksForRecentSignIn: true,
  body: z.strictObject({
    /** As typed: the address of the account. */
    email: fields.line(320),
    password: fields.currentPassword,
  }),
  output: leaving,
  errors: ['LAST_ADMIN'],
})

export const stay = route({
  name: 'stay',
  method: 'DELETE',
  path: '/account/leaving',
  summary: 'Keep the account of the caller after all',
  access: 'signed-in',
  changes: ['profile'],
  output: leaving,
  errors: [],
})

export const exportAccount = route({
  name: 'exportAccount',
  method: 'POST',
  path: '/account/export',
  summary: 'What the installation knows of the caller, as a zip file. Mail belongs to mailboxes',
  access: 'any-session',
  changes: [],
  asksForRecentSignIn: true,
  body: z.strictObject({ password: fields.currentPassword }),
  output: z.string().describe('The file'),
  errors: [],
  contentType: 'application/octet-stream',
})
