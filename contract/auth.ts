/** Sign-up, sign-in and sessions: the calls of the specification's section 7 under /auth and /oauth. */
import { z } from 'zod'
import * as fields from './fields.ts'
import { REFRESH_PATH, route } from './route.ts'

export const user = z.object({
  _id: fields.id,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  name: z.string(),
  avatar: z.string().nullable(),
  /** Set only in the session of a mailbox holder: the one mailbox that they may open. */
  mailboxId: fields.id.optional(),
  /** Has no second factor, and needs one from then on in the workspace of the request (decision 126). */
  factorDueAt: z.iso.datetime().optional(),
  /** Operates this installation (decision 104). */
  isOperator: z.literal(true).optional(),
})
export type User = z.infer<typeof user>

/** A session in the browser, new or renewed. */
export const signedIn = z.object({
  token: z.string(),
  /** Seconds from now. */
  tokenExpiresIn: z.number().int(),
  user,
})
export type SignedIn = z.infer<typeof signedIn>

export const PASSWORDS_DIFFER = "Passwords don't match."
export const NEW_PASSWORDS_DIFFER = 'Passwords do not match'

/** Compares the two passwords only when both are strings: other faults have their own messages. */
export const samePassword = (message: string) => ({
  path: ['confirmPassword'],
  message,
  when: ({ value }: { value: unknown }) => {
    const form = value as Record<string, unknown> | null
    return typeof form?.password === 'string' && typeof form.confirmPassword === 'string'
  },
})

export const signUpForm = z
  .strictObject({
    firstName: fields.firstName,
    lastName: fields.lastName,
    email: fields.emailAddress,
    password: fields.newPassword,
    confirmPassword: fields.confirmNewPassword,
    termsAccepted: fields.termsAccepted,
  })
  .refine((form) => form.password === form.confirmPassword, samePassword(PASSWORDS_DIFFER))

export const loginForm = z.strictObject({ email: fields.emailAddress, password: fields.password })

export const forgotPasswordForm = z.strictObject({ email: fields.emailAddress })

/** The two password fields of the reset page; the request adds the token as `session`. */
const newPasswordFields = { password: fields.password, confirmPassword: fields.confirmPassword }
export const newPasswordForm = z
  .strictObject(newPasswordFields)
  .refine((form) => form.password === form.confirmPassword, samePassword(NEW_PASSWORDS_DIFFER))

export const RESEND_COOLDOWN_SECONDS = 30
export const mailKind = z.enum(['email-verification', 'reset-password'])

export const register = route({
  name: 'register',
  method: 'POST',
  path: '/auth/register',
  summary: 'Create an account and mail a verification link',
  access: 'anyone',
  changes: ['session'],
  body: signUpForm,
  output: fields.confirmation,
  errors: ['USER_ALREADY_EXISTS', 'NOT_VERIFIED', 'SIGN_UP_CLOSED'],
  status: 201,
})

export const resendVerifyEmail = route({
  name: 'resendVerifyEmail',
  method: 'POST',
  path: '/auth/resend-verify-email',
  summary: 'Mail a verification or reset link again; answers the same for any address',
  access: 'anyone',
  changes: [],
  body: z.strictObject({ email: fields.emailAddress, type: mailKind }),
  output: fields.confirmation,
  errors: [],
})

export const login = route({
  name: 'login',
  method: 'POST',
  path: '/auth/login',
  summary: 'Start a session',
  description:
    'Answers an access token, which is good for minutes, and sets the cookie that `refresh` needs.',
  access: 'anyone',
  changes: ['session'],
  body: loginForm,
  output: signedIn,
  errors: ['INVALID_PASSWORD', 'NOT_VERIFIED', 'MAILBOX_SUSPENDED'],
})

export const logout = route({
  name: 'logout',
  method: 'POST',
  path: '/auth/logout',
  summary: 'End this session',
  access: 'anyone',
  changes: ['session'],
  output: fields.confirmation,
  errors: ['WRONG_ORIGIN'],
})

export const refresh = route({
  name: 'refresh',
  method: 'POST',
  path: REFRESH_PATH,
  summary: 'Rotate the refresh cookie and answer a new access token',
  access: 'anyone',
  changes: ['session'],
  output: signedIn,
  errors: ['REFRESH', 'WRONG_ORIGIN'],
})

export const forgotPassword = route({
  name: 'forgotPassword',
  method: 'POST',
  path: '/auth/forgot-password',
  summary: 'Mail a reset link; answers the same for any address',
  access: 'anyone',
  changes: ['session'],
  body: forgotPasswordForm,
  output: fields.confirmation,
  errors: [],
})

export const setNewPassword = route({
  name: 'setNewPassword',
  method: 'POST',
  path: '/auth/set-new-password',
  summary: 'Set a password with a mailed token; every session of the user ends',
  access: 'anyone',
  changes: ['session'],
  body: z
    .strictObject({ ...newPasswordFields, session: fields.linkToken })
    .refine((form) => form.password === form.confirmPassword, samePassword(NEW_PASSWORDS_DIFFER)),
  output: fields.confirmation,
  errors: ['LINK_EXPIRED', 'INVALID_SIGNATURE'],
})

/** Asked before the form is filled in: whoever learns it has the token already. */
export const openResetLink = route({
  name: 'openResetLink',
  method: 'POST',
  path: '/auth/open-reset-link',
  summary: 'Whether a mailed reset link still works',
  access: 'anyone',
  changes: [],
  body: fields.mailedLink,
  output: z.object({ type: z.enum(['OPEN', 'EXPIRED']) }),
  errors: ['INVALID_SIGNATURE'],
})

export const verifyEmail = route({
  name: 'verifyEmail',
  method: 'POST',
  path: '/auth/verify-email',
  summary: 'Open a verification link: VERIFIED signs the user in',
  access: 'anyone',
  changes: ['session'],
  body: fields.mailedLink,
  output: z.discriminatedUnion('type', [
    z.object({
      type: z.literal('VERIFIED'),
      message: z.string(),
      email: z.string(),
      /** true: an existing account confirmed its new e-mail address; false: a new account was opened. */
      isChange: z.boolean(),
      ...signedIn.shape,
    }),
    z.object({
      type: z.enum(['LINK_EXPIRED', 'ALREADY_VERIFIED']),
      message: z.string(),
      email: z.string(),
    }),
  ]),
  errors: ['INVALID_SIGNATURE', 'USER_ALREADY_EXISTS'],
})

export const verifyAccess = route({
  name: 'verifyAccess',
  method: 'GET',
  path: '/auth/verify-access',
  summary: 'Who am I',
  access: 'any-session',
  reads: ['session'],
  output: user,
  errors: [],
})

/** The address of a page elsewhere, to send the browser to. */
export const pageElsewhere = z.object({ url: z.string() })

export const startGoogle = route({
  name: 'startGoogle',
  method: 'GET',
  path: '/oauth/google',
  summary: 'The address to send the browser to',
  access: 'anyone',
  reads: ['session'],
  output: pageElsewhere,
  errors: ['GOOGLE_NOT_SET_UP'],
})

/** The query of the return page, passed on as it is. The issuer chooses which of these it sends. */
export const googleReturn = z.object({
  code: fields.line(2000).optional(),
  state: fields.line(500).optional(),
  scope: fields.line(2000).optional(),
  authuser: fields.line(100).optional(),
  hd: fields.line(300).optional(),
  prompt: fields.line(100).optional(),
  iss: fields.line(500).optional(),
  session_state: fields.line(500).optional(),
  error: fields.line(200).optional(),
  error_description: fields.line(2000).optional(),
})

export const finishGoogle = route({
  name: 'finishGoogle',
  method: 'GET',
  path: '/oauth/google/callback',
  summary: 'Finish third-party sign-in with the query of the return page',
  access: 'anyone',
  reads: ['session'],
  query: googleReturn,
  output: signedIn,
  errors: ['OAUTH_FAILED', 'GOOGLE_NOT_SET_UP', 'SIGN_UP_CLOSED'],
})
