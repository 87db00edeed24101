/** The common parts of all mails about ownership. No mail names the other workspace. */
import type { ClaimOutcome } from '#contract/dns/claims.ts'
import type { App } from '#server/app.ts'
import { ownershipValue } from '#server/dns/compare-ownership.ts'
import type { Paragraph } from '#server/features/outbox/letter-html.ts'
import { sendSystemMail } from '#server/features/outbox/send-system-mail.ts'
import { compose, type Mail } from '#server/features/outbox/system-mail.ts'
import { adminEmails } from '#server/features/workspaces/member-emails.ts'
import { toUnicodeDomain } from '#server/standards/domain-name.ts'
import type { Db } from '#server/storage/database.ts'
import type { MissingProof } from './missing-proof.ts'

export type About = {
  domain: { id: string; name: string; ownershipToken: string }
  publicUrl: string
}

export const displayedDomain = ({ domain }: About): string => toUnicodeDomain(domain.name)

type Words = { subject: string; before: Paragraph[]; preview: string }

const toAdmins = {
  greeting: 'Hello,',
  after: [],
  reason: 'You get this mail as an Admin of the workspace that the domain is in.',
}

/** A mail with a button to the domain's page. */
export const notice = ({ domain, publicUrl }: About, words: Words): Mail =>
  compose({
    ...toAdmins,
    button: {
      label: 'Open the domain',
      link: `${publicUrl}/dashboard/domains/${domain.id}`,
    },
    ...words,
  })

/** A mail about a domain that is no longer in the workspace. */
export const farewell = ({ publicUrl }: About, words: Words): Mail =>
  compose({
    ...toAdmins,
    button: { label: 'Open your domains', link: `${publicUrl}/dashboard/domains` },
    reason: 'You get this mail as an Admin of the workspace that the domain was in.',
    ...words,
  })

/** Where the ownership record belongs, and its value. */
export const ownRecord = ({ domain }: About): Paragraph[] => [
  `Your ownership record is a TXT record at _mailstead.${domain.name} with this value:`,
  { value: ownershipValue(domain.ownershipToken) },
]

export const dayOf = (at: Date): string =>
  `${at.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })}, ${at.toISOString().slice(11, 16)} UTC`

export const mailboxesIn = (count: number): string =>
  count === 0 ? 'no mailboxes' : count === 1 ? '1 mailbox' : `${count} mailboxes`

type Claim = { decidesAt: Date; isHolderProven: boolean }

const KEEP = 'If you want to keep the domain, leave that record where it is or put it back.'
const GIVE = 'If it should go, you can release it at once on its page.'

/** The mails to both sides of a claim. Neither names the other. */
export const claimedMail = (about: About, { decidesAt, isHolderProven }: Claim): Mail =>
  notice(about, {
    subject: `Another workspace has claimed ${displayedDomain(about)}`,
    preview: 'Your own ownership record decides whether the domain stays with you.',
    before: [
      `Another workspace has published its own ownership record in the DNS of ${displayedDomain(about)}, and asks for the domain.`,
      isHolderProven
        ? `Your own record is in DNS too. As long as it is, the domain stays with you and the claim ends on ${dayOf(decidesAt)}.`
        : `Your own record is not in DNS. Unless it is back by ${dayOf(decidesAt)}, the domain goes to that workspace then. Your mailboxes and their mail are deleted, and the other workspace never sees them.`,
      ...ownRecord(about),
      `${KEEP} ${GIVE}`,
    ],
  })

export const recordGoneMail = (about: About, decidesAt: Date): Mail =>
  notice(about, {
    subject: `${displayedDomain(about)} goes to another workspace unless its record is back`,
    preview: 'Your ownership record is no longer in DNS.',
    before: [
      `Another workspace has claimed ${displayedDomain(about)}, and now your own ownership record is no longer in DNS. Unless it is back by ${dayOf(decidesAt)}, the domain goes to that workspace then, and your mailboxes and their mail are deleted.`,
      ...ownRecord(about),
      `${KEEP} ${GIVE}`,
    ],
  })

export const reminderMail = (about: About, decidesAt: Date): Mail =>
  notice(about, {
    subject: `${displayedDomain(about)} goes to another workspace soon`,
    preview: 'Your ownership record is still not in DNS. This is the last reminder.',
    before: [
      `The claim on ${displayedDomain(about)} is decided on ${dayOf(decidesAt)}. Your own ownership record is not in DNS, so the domain would go to the other workspace then, and your mailboxes and their mail would be deleted. That cannot be undone.`,
      ...ownRecord(about),
      KEEP,
    ],
  })

const kept: Partial<Record<ClaimOutcome, string>> = {
  withdrawn: 'was withdrawn',
  'both-proven': 'has ended, since your own record is in DNS too',
  lapsed: 'has ended, since the record of the other workspace is no longer in DNS',
}

export const domainKeptMail = (about: About, outcome: ClaimOutcome): Mail =>
  notice(about, {
    subject: `${displayedDomain(about)} stays with you`,
    preview: 'The claim of the other workspace has ended.',
    before: [
      `The claim of another workspace on ${displayedDomain(about)} ${kept[outcome] ?? 'has ended'}. The domain stays in your workspace, and nothing has changed.`,
    ],
  })

export const lostMail = (about: About, mailboxes: number): Mail =>
  farewell(about, {
    subject: `${displayedDomain(about)} went to another workspace`,
    preview: 'Its record is in DNS, and yours was not.',
    before: [
      `${displayedDomain(about)} was claimed by another workspace, whose ownership record is in DNS, and yours was not. So the domain is no longer in your workspace: ${mailboxesIn(mailboxes)} with all mail in them were deleted. The other workspace sees nothing of them.`,
      'If that is wrong, correct the DNS of the domain and add it again: you can claim it in the same way.',
    ],
  })

export const claimStartedMail = (about: About, { decidesAt, isHolderProven }: Claim): Mail =>
  notice(about, {
    subject: `You have claimed ${displayedDomain(about)}`,
    preview: 'Another workspace holds it. This is what happens next.',
    before: [
      `Your ownership record of ${displayedDomain(about)} is in DNS, but another workspace holds the domain. Its Admins got a mail about it.`,
      isHolderProven
        ? `Its own record is in DNS too: as long as it is, the domain stays there, and your claim ends on ${dayOf(decidesAt)}. If the domain should be yours, remove that record.`
        : `Unless it publishes its own record again, the domain becomes yours on ${dayOf(decidesAt)}. Leave your record where it is.`,
    ],
  })

const ended: Partial<Record<ClaimOutcome, string>> = {
  'both-proven':
    'has ended: the record of the workspace that holds it is in DNS beside yours, so the domain stays where it is. If it should be yours, remove the other record and verify again',
  lapsed:
    'has ended: your ownership record was not in DNS when the time came. Publish it and verify again if the domain should be yours',
  overtaken:
    'has ended: by now the domain is held by yet another workspace. Verify again to claim it there',
}

export const endedMail = (about: About, outcome: ClaimOutcome): Mail =>
  notice(about, {
    subject: `Your claim on ${displayedDomain(about)} has ended`,
    preview: 'This is why, and what you can do.',
    before: [`Your claim on ${displayedDomain(about)} ${ended[outcome] ?? 'has ended'}.`],
  })

export const wonMail = (about: About): Mail =>
  notice(about, {
    subject: `${displayedDomain(about)} is yours`,
    preview: 'Your claim has succeeded. Next, publish its other DNS records.',
    before: [
      `Your claim has succeeded: ${displayedDomain(about)} is in your workspace now. It starts empty, with keys of its own. Next, publish its other DNS records.`,
    ],
  })

const BACK = 'As soon as we see it in DNS, everything is as it was.'

/** The mails while the proof of a domain is missing: one before each step and one with it. */
export const warnedMail = (about: About, { since, stopsAt, releasesAt }: MissingProof): Mail =>
  notice(about, {
    subject: `The ownership record of ${displayedDomain(about)} is missing`,
    preview: 'Put it back into DNS, or sending stops in a while.',
    before: [
      `The record that proves that ${displayedDomain(about)} is yours has not been in DNS since ${dayOf(since)}.`,
      `If it stays away, sending from this domain stops on ${dayOf(stopsAt)}, and on ${dayOf(releasesAt)} the domain is released and its mailboxes are deleted with their mail. Until then mail arrives as before.`,
      ...ownRecord(about),
      BACK,
    ],
  })

export const stoppedMail = (about: About, { releasesAt }: MissingProof): Mail =>
  notice(about, {
    subject: `Sending from ${displayedDomain(about)} has stopped`,
    preview: 'Its ownership record has been missing for a week. Mail still arrives.',
    before: [
      `The ownership record of ${displayedDomain(about)} has been missing for a week, so nothing is sent from this domain any more. Mail still arrives.`,
      `On ${dayOf(releasesAt)} the domain is released, and its mailboxes are deleted with their mail.`,
      ...ownRecord(about),
      BACK,
    ],
  })

export const lastCallMail = (about: About, { releasesAt }: MissingProof, mailboxes: number): Mail =>
  notice(about, {
    subject: `${displayedDomain(about)} will be released in a week`,
    preview: 'Its ownership record is still missing. This cannot be undone.',
    before: [
      `The ownership record of ${displayedDomain(about)} is still missing. On ${dayOf(releasesAt)} the domain is released: mail for it is refused from then on, and ${mailboxesIn(mailboxes)} with all mail in them are deleted. That cannot be undone.`,
      ...ownRecord(about),
      BACK,
    ],
  })

export const releasedMail = (about: About, mailboxes: number): Mail =>
  farewell(about, {
    subject: `${displayedDomain(about)} was released`,
    preview: 'Its ownership record was missing for too long.',
    before: [
      `The ownership record of ${displayedDomain(about)} was missing for so long that the domain was released today: it is no longer in your workspace, and ${mailboxesIn(mailboxes)} with all mail in them were deleted.`,
      'You can add the domain again. It then starts empty, with a new record and new keys.',
    ],
  })

export const backMail = (about: About): Mail =>
  notice(about, {
    subject: `The ownership record of ${displayedDomain(about)} is back`,
    preview: 'Sending and receiving work as before.',
    before: [
      `The record that proves that ${displayedDomain(about)} is yours is in DNS again. Sending and receiving work as before, and nothing was lost.`,
    ],
  })

/** Call in the transaction of the decision. */
export const mailAdmins = async (
  app: App,
  tx: Db,
  workspaceId: string,
  mail: Mail,
  /** User id of the Admin who acted, who gets no mail. */
  except?: string,
): Promise<void> => {
  for (const to of await adminEmails(tx, workspaceId))
    if (to !== except) await sendSystemMail(app, tx, { to, ...mail })
}
