/** The caller's own account: names, e-mail, password, and what they prefer. */

import { z } from 'zod'
import { NEW_PASSWORDS_DIFFER, user } from './auth.ts'
import { dateOrders, hourStyles } from './date-formats.ts'
import * as fields from './fields.ts'
import { route } from './route.ts'

export const profile = user.extend({
  /** false: the account has only third-party sign-in. */
  hasPassword: z.boolean(),
  /** The new address, which takes effect when the link mailed to it is opened. */
  pendingEmail: z.string().nullable(),
})
export type Profile = z.infer<typeof profile>

export const profileForm = z.strictObject({
  firstName: fields.firstName,
  lastName: fields.lastName,
  email: fields.profileEmail,
  /** The current password, required when the e-mail changes. */
  password: fields.currentPassword,
})

export const passwordForm = z
  .strictObject({
    oldPassword: fields.oldPassword,
    newPassword: fields.replacementPassword,
    confirmPassword: fields.confirmReplacement,
  })
  .refine((form) => form.newPassword === form.confirmPassword, {
    path: ['confirmPassword'],
    message: NEW_PASSWORDS_DIFFER,
    // When one of them is not a valid password, that message is enough.
    when: ({ issues }) => !issues.some(({ path }) => path?.[0] !== 'oldPassword'),
  })

/** For an account that has only third-party sign-in. */
export const NO_PASSWORD =
  'Your account has no password yet. Log out and choose Forgot password to set one'

export const getProfile = route({
  name: 'getProfile',
  method: 'GET',
  path: '/profile',
  summary: 'The account of the caller',
  access: 'signed-in',
  reads: ['profile'],
  output: profile,
  errors: [],
})

export const editProfile = route({
  name: 'editProfile',
  method: 'PATCH',
  path: '/profile',
  summary:
    'Change names at once, the e-mail by a mailed link; the present e-mail withdraws a change',
  access: 'signed-in',
  changes: ['profile', 'members', 'workspaces'],
  notAudited: 'A person changes their own name',
  asksForRecentSignIn: true,
  body: profileForm.partial(),
  output: profile,
  errors: ['USER_ALREADY_EXISTS'],
})

export const changePassword = route({
  name: 'changePassword',
  method: 'POST',
  path: '/profile/password',
  summary: 'Change the password; every other session of the user ends',
  access: 'any-session',
  changes: ['session'],
  asksForRecentSignIn: true,
  body: passwordForm,
  output: fields.confirmation,
  errors: [],
})

/** What a person prefers: how dates are written for them, and which mails they want. */
const orEmpty = <T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(['', ...values], 'Please choose one of the list')

/** '' stands for the company's, and where it has none for that of the browser. */
export const preferencesForm = z.strictObject({
  timeZone: z.literal('').or(fields.timeZone),
  timeFormat: orEmpty(hourStyles),
  dateFormat: orEmpty(dateOrders),
  /** Mails about DNS records that fail, or are right again, to an Admin. */
  wantsDnsMails: z.boolean('Please say yes or no'),
})

/** Seconds for which a sent letter can be taken back; 0: it goes at once. */
export const undoChoices = [0, 5, 10, 20, 30] as const

/** How a person writes, in every mailbox that they read. */
export const writingPreferencesForm = z.strictObject({
  /** null: as long as it is usual in this installation. */
  undoSeconds: z.literal(undoChoices, 'Please choose one of the list').nullable(),
  /** true: new letters begin as plain text. */
  writesPlainText: z.boolean('Please say yes or no'),
})

export const preferences = preferencesForm.extend({
  ...writingPreferencesForm.shape,
  usualUndoSeconds: z.number().int(),
  /** Of the company of the workspace; empty until its profile is saved. */
  company: z.object({ timeZone: z.string(), timeFormat: z.string() }),
})
export type Preferences = z.infer<typeof preferences>

export const getPreferences = route({
  name: 'getPreferences',
  method: 'GET',
  path: '/preferences',
  summary: 'How dates are written for the caller, and which mails they want',
  access: 'any-session',
  reads: ['profile', 'company'],
  output: preferences,
  errors: [],
})

export const savePreferences = route({
  name: 'savePreferences',
  method: 'PUT',
  path: '/preferences',
  summary: 'Save how dates are written for the caller, and which mails they want',
  access: 'any-session',
  changes: ['profile'],
  body: preferencesForm,
  output: preferences,
  errors: [],
})

export const saveWritingPreferences = route({
  name: 'saveWritingPreferences',
  method: 'PUT',
  path: '/preferences/writing',
  summary: 'Save how long the caller can take a sent letter back, and how their letters begin',
  access: 'any-session',
  changes: ['profile'],
  body: writingPreferencesForm,
  output: preferences,
  errors: [],
})
