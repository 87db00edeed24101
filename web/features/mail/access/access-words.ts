import type { AccessEntry, MailboxReader } from '#contract/mail/access.ts'

/** A line of the access log, as a sentence. The mailbox is named beside it. */
export const sentenceFor = ({
  kind,
  actor,
  subject,
}: Pick<AccessEntry, 'kind' | 'actor' | 'subject'>): string =>
  ({
    'link-made': `${actor} made a link that sets the password of the holder.`,
    'link-mailed': `${actor} mailed a link that sets the password of the holder to ${subject}.`,
    'link-withdrawn': `${actor} withdrew the link that sets the password of the holder.`,
    accepted: `${actor} set a password with the link and reads it from now on.`,
    reset: `${actor} set a new password with a link.`,
    revoked: `${actor} ended the access of the holder.`,
    given: `${actor} let ${subject} read it.`,
    'taken-back': `${actor} ended the right of ${subject} to read it.`,
    taken: `${actor} took the right to read it.`,
    'gave-back': `${actor} gave back the right to read it.`,
    'moved-away': `${actor} moved the domain with its mail to the workspace “${subject}”.`,
    'moved-in': `${actor} moved the domain with its mail here from the workspace “${subject}”.`,
  })[kind]

/** Why somebody reads a mailbox. */
export const reasonOf: Record<MailboxReader['how'], string> = {
  holder: 'Holder',
  made: 'Made it',
  given: 'Was given it',
  taken: 'Took the right',
}
