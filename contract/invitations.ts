/**
 * Invitations: an Admin invites a person by mail to join a workspace. The holder of the mailed token may see the
 * invitation, decline it, sign up with its address, or join when signed in with that address.
 */
import { z } from 'zod'
import { PASSWORDS_DIFFER, samePassword, signedIn } from './auth.ts'
import * as fields from './fields.ts'
import { role } from './rights.ts'
import { route } from './route.ts'
import { workspace } from './workspaces.ts'

export const INVITATION_DAYS = 7

/** An invitation that is neither answered nor revoked; it may have expired. */
export const invitation = z.object({
  _id: fields.id,
  email: z.string(),
  role,
  sentAt: z.iso.datetime().describe('When it was last mailed.'),
  expiresAt: z.iso.datetime(),
})
export type Invitation = z.infer<typeof invitation>

export const invitationForm = z.strictObject({ email: fields.emailAddress, role })

/** The sign-up form without the e-mail, which the invitation gives. */
export const invitedSignUpForm = z
  .strictObject({
    firstName: fields.firstName,
    lastName: fields.lastName,
    password: fields.newPassword,
    confirmPassword: fields.confirmNewPassword,
    termsAccepted: fields.termsAccepted,
    session: fields.linkToken,
  })
  .refine((form) => form.password === form.confirmPassword, samePassword(PASSWORDS_DIFFER))

const byId = z.object({ id: z.string() })

export const listInvitations = route({
  name: 'listInvitations',
  method: 'GET',
  path: '/invitations',
  summary: 'Who is invited and has not answered yet, newest first',
  access: 'manage-members',
  reads: ['invitations'],
  output: z.array(invitation),
  errors: [],
})

export const inviteMember = route({
  name: 'inviteMember',
  method: 'POST',
  path: '/invitations',
  summary: 'Mail an invitation to join the workspace; one that waits is renewed with this role',
  access: 'manage-members',
  changes: ['invitations'],
  body: invitationForm,
  output: invitation.extend({ isRenewed: z.boolean() }),
  errors: [],
  status: 201,
})

export const resendInvitation = route({
  name: 'resendInvitation',
  method: 'POST',
  path: '/invitations/{id}/resend',
  summary: 'Mail an invitation again; it is good for another week',
  access: 'manage-members',
  changes: ['invitations'],
  params: byId,
  output: invitation,
  errors: ['NOT_EXISTS'],
})

export const revokeInvitation = route({
  name: 'revokeInvitation',
  method: 'DELETE',
  path: '/invitations/{id}',
  summary: 'Withdraw an invitation: its links no longer work',
  access: 'manage-members',
  changes: ['invitations'],
  params: byId,
  output: fields.confirmation,
  errors: ['NOT_EXISTS'],
})

export const openedInvitation = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('OPEN'),
    email: z.string(),
    role,
    workspaceName: z.string(),
    invitedBy: z
      .string()
      .nullable()
      .describe(
        "Name and address of the inviting Admin: 'Ada Lovelace (ada@example.org)'; null when that account is gone.",
      ),
    hasAccount: z
      .boolean()
      .describe(
        'Whether the invited address has an account. Only the holder of the link learns it.',
      ),
  }),
  z.object({ type: z.enum(['EXPIRED', 'REVOKED', 'DECLINED', 'USED']) }),
])
export type OpenedInvitation = z.infer<typeof openedInvitation>

export const openInvitation = route({
  name: 'openInvitation',
  method: 'POST',
  path: '/invitations/open',
  summary: 'What the holder of a mailed link is invited to; changes nothing',
  access: 'anyone',
  changes: [],
  body: fields.mailedLink,
  output: openedInvitation,
  errors: ['INVALID_SIGNATURE'],
})

export const signUpInvited = route({
  name: 'signUpInvited',
  method: 'POST',
  path: '/invitations/sign-up',
  summary: 'Create an account with the invited address, which the link proves, and join',
  access: 'anyone',
  changes: ['session', 'invitations', 'members', 'workspaces'],
  notAudited: 'The feature records it, since the workspace is known only then',
  body: invitedSignUpForm,
  output: signedIn,
  errors: ['INVALID_SIGNATURE', 'LINK_EXPIRED', 'USER_ALREADY_EXISTS', 'SIGN_UP_CLOSED'],
  status: 201,
})

export const joinWorkspace = route({
  name: 'joinWorkspace',
  method: 'POST',
  path: '/invitations/join',
  summary: 'Join a workspace; it becomes the current one of the caller',
  access: 'signed-in',
  changes: ['session', 'invitations', 'members', 'workspaces'],
  body: fields.mailedLink,
  notAudited: 'The feature records it, since the workspace is known only then',
  output: workspace,
  errors: ['INVALID_SIGNATURE', 'LINK_EXPIRED'],
})

export const declineInvitation = route({
  name: 'declineInvitation',
  method: 'POST',
  path: '/invitations/decline',
  summary: 'Decline an invitation',
  access: 'anyone',
  changes: ['invitations'],
  body: fields.mailedLink,
  output: fields.confirmation,
  notAudited: 'The feature records it, since the workspace is known only then',
  errors: ['INVALID_SIGNATURE', 'LINK_EXPIRED'],
})
