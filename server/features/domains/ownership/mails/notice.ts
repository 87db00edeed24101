/** What all mails about the ownership of a domain have in common. Nobody is told which workspace the other one is. */
import { compose, type Mail } from '#server/features/auth/accounts/mail-templates.ts'
import { toUnicodeDomain } from '#server/standards/domain-name.ts'
import { ownershipValue } from '../../records/expected-records.ts'

export type About = {
  domain: { id: string; name: string; ownershipToken: string }
  publicUrl: string
}

export const shownName = ({ domain }: About): string => toUnicodeDomain(domain.name)

/** With a button that leads to the page of the domain. */
export const notice = (
  { domain, publicUrl }: About,
  content: { subject: string; before: string[]; after?: string[] },
): Mail =>
  compose({
    greeting: 'Hello,',
    button: {
      label: 'Open the domain',
      link: `${publicUrl}/dashboard/domains/${domain.id}`,
    },
    after: [],
    ...content,
  })

/** For a domain that is gone from the workspace. */
export const farewell = (
  { publicUrl }: About,
  content: { subject: string; before: string[]; after?: string[] },
): Mail =>
  compose({
    greeting: 'Hello,',
    button: { label: 'Open your domains', link: `${publicUrl}/dashboard/domains` },
    after: [],
    ...content,
  })

export const theRecord = ({ domain }: About): string =>
  `Its record is a TXT record at _mailstead.${domain.name} with the value ${ownershipValue(domain.ownershipToken)}`

export const dayOf = (at: Date): string =>
  `${at.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })}, ${at.toISOString().slice(11, 16)} UTC`

export const mailboxesIn = (count: number): string =>
  count === 0 ? 'no mailboxes' : count === 1 ? '1 mailbox' : `${count} mailboxes`
