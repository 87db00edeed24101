import { ACCESS_LINK_DAYS } from '#contract/mail/access.ts'
import { compose, type Mail } from '#server/features/auth/accounts/mail-templates.ts'

type Content = { senderEmail: string; email: string; isReset: boolean; link: string }

/** Goes to a private address, at the wish of a member, who is named by the address that they have proven. */
export const accessMail = ({ senderEmail, email, isReset, link }: Content): Mail =>
  compose({
    subject: isReset ? `A new password for ${email}` : `Your mailbox ${email}`,
    greeting: 'Hello,',
    before: [
      isReset
        ? `${senderEmail} sends you this link to set a new password for the mailbox ${email}.`
        : `${senderEmail} has made the mailbox ${email} for you. Set a password, and sign in with that address.`,
    ],
    button: { label: 'Set a password', link },
    after: [
      `The link works once, for ${ACCESS_LINK_DAYS} days. Whoever has it can read the mail of this mailbox, so pass it on to nobody.`,
      'If you do not know who this is, ignore this mail: without you nothing happens.',
    ],
  })
