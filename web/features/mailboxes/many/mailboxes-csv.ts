/** Tables of mailboxes for spreadsheets. A text that begins like a formula stays a text. */
import type { MadeLinkOfMany } from '#contract/mail/many-access-links.ts'
import type { ListedMailbox } from '#contract/mailboxes.ts'
import { signedInUserId } from '#web/lib/api/session.ts'
import { asCsv } from '#web/lib/csv.ts'
import { formatMoment } from '#web/lib/format.ts'
import { firstAddress } from '#web/lib/kept-addresses.ts'
import { readableTable } from '#web/lib/readable-table.ts'
import { datedName, saveAs } from '#web/lib/save-as.ts'

/** Its first columns are those that an import reads. */
export const mailboxesTable = (mailboxes: readonly ListedMailbox[]): string[][] =>
  readableTable([
    [
      ...['First name', 'Last name', 'Email', 'Domain', 'State'],
      ...['Access', 'Holder or reader', 'Readers', 'Last sign-in', 'Size in bytes'],
    ],
    ...mailboxes.map(({ firstName, lastName, email, domain, status, access, usedBytes }) => [
      ...[firstName, lastName, email, domain, status],
      ...[access.state, access.name, String(access.readers), momentOf(access.lastLoginAt)],
      String(usedBytes),
    ]),
  ])

const momentOf = (at: string | null): string => (at === null ? '' : formatMoment(at))

type Named = Pick<ListedMailbox, '_id' | 'firstName' | 'lastName' | 'access'>

/** Says whose each link is and where the person is reached, so that the file can be handed on row by row. */
export const linksTable = (
  links: readonly MadeLinkOfMany[],
  mailboxes: readonly Named[],
): string[][] => {
  const byId = new Map(mailboxes.map((mailbox) => [mailbox._id, mailbox]))
  return readableTable([
    ['First name', 'Last name', 'Email', 'Domain', 'Private email', 'Link', 'Valid until'],
    ...links.map(({ mailboxId, email, link, expiresAt }) => {
      const mailbox = byId.get(mailboxId)
      const { firstName = '', lastName = '' } = mailbox ?? {}
      const domain = email.slice(email.lastIndexOf('@') + 1)
      const address = mailbox && firstAddress(signedInUserId(), mailbox)
      return [firstName, lastName, email, domain, address ?? '', link ?? '', momentOf(expiresAt)]
    }),
  ])
}

export const saveMailboxes = (mailboxes: readonly ListedMailbox[]): void =>
  saveAs(asCsv(mailboxesTable(mailboxes)), datedName('mailboxes', 'csv'))

export const saveLinks = (links: readonly MadeLinkOfMany[], mailboxes: readonly Named[]): void =>
  saveAs(asCsv(linksTable(links, mailboxes)), datedName('access-links', 'csv'))
