import type { Role } from '#contract/rights.ts'
import { INVITATION_DAYS } from '#contract/workspace/invitations.ts'
import { compose, isLikeALink, type Mail } from '#server/features/auth/accounts/mail-templates.ts'

type Content = { inviterEmail: string; workspaceName: string; role: Role; link: string }

/**
 * Goes to people who may never have heard of us, at the wish of somebody whom we may not know. So nothing that anybody
 * typed is in the subject, who invites is named by the address that they have proven, and no name carries a link.
 */
export const invitationMail = ({ inviterEmail, workspaceName, role, link }: Content): Mail =>
  compose({
    subject: 'You are invited to a workspace on Mailstead',
    greeting: 'Hello,',
    before: [`${inviterEmail} invites you to join ${nameOf(workspaceName)} as ${role}.`],
    button: { label: 'Open the invitation', link },
    after: [
      `The link works once, for ${INVITATION_DAYS} days.`,
      'If you do not know who this is, ignore this mail: without you nothing happens.',
    ],
  })

const nameOf = (name: string): string =>
  isLikeALink(name) ? 'their workspace' : `the workspace “${name}”`
