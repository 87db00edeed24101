/** Tables of mailboxes for spreadsheets. A text that begins like a formula stays a text. */
import type { MadeLinkOfMany } from '#contract/mail/access.ts'
import type { ListedMailbox } from '#contract/mailboxes.ts'
import { asCsv } from '#web/lib/csv.ts'
import { saveAs } from '#web/lib/save-as.ts'

/** Its first columns are those that an import reads. */
export const mailboxesTable = (mailboxes: readonly ListedMailbox[]): string[][] => [
  [
    ...['First name', 'Last name', 'Email', 'Domain', 'State'],
    ...['Access', 'Person', 'Readers', 'Last sign-in', 'Size in bytes'],
  ],
  ...mailboxes.map(({ firstName, lastName, email, domain, status, access, usedBytes }) => [
    ...[firstName, lastName, email, domain, status],
    ...[access.state, access.name, String(access.readers), access.lastLoginAt ?? ''],
    String(usedBytes),
  ]),
]

export const linksTable = (links: readonly MadeLinkOfMany[]): string[][] => [
  ['Email', 'Link', 'Valid until'],
  ...links.map(({ email, link, expiresAt }) => [email, link ?? '', expiresAt ?? '']),
]

export const saveMailboxes = (mailboxes: readonly ListedMailbox[]): void =>
  saveAs(asCsv(mailboxesTable(mailboxes)), 'mailboxes.csv')

export const saveLinks = (links: readonly MadeLinkOfMany[]): void =>
  saveAs(asCsv(linksTable(links)), 'access-links.csv')
