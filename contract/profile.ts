/** The caller's own account: names, e-mail, password. */
import { z } from 'zod'
import { NEW_PASSWORDS_DIFFER, user } from './auth.ts'
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
  method: 'GET',
  path: '/profile',
  summary: 'The account of the caller',
  access: 'signed-in',
  reads: ['profile'],
  output: profile,
  errors: [],
})

export const editProfile = route({
  method: 'PATCH',
  path: '/profile',
  summary:
    'Change names at once, the e-mail by a mailed link; the present e-mail withdraws a change',
  access: 'signed-in',
  changes: ['profile', 'members', 'workspaces'],
  body: profileForm.partial(),
  output: profile,
  errors: ['USER_ALREADY_EXISTS'],
})

export const changePassword = route({
  method: 'POST',
  path: '/profile/password',
  summary: 'Change the password; every other session of the user ends',
  access: 'any-session',
  changes: ['session'],
  body: passwordForm,
  output: fields.confirmation,
  errors: [],
})
