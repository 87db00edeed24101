/** What both sides of a claim are told. Neither learns who the other is. */
import type { ClaimOutcome } from '#contract/dns/claims.ts'
import type { Mail } from '#server/features/auth/accounts/mail-templates.ts'
import { type About, dayOf, farewell, mailboxesIn, notice, shownName, theRecord } from './notice.ts'

type Claim = { decidesAt: Date; isHolderProven: boolean }

const KEEP = 'If you want to keep the domain, leave that record where it is or put it back.'
const GIVE = 'If it should go, you can release it at once on its page.'

export const claimedMail = (about: About, { decidesAt, isHolderProven }: Claim): Mail =>
  notice(about, {
    subject: `Another workspace has claimed ${shownName(about)}`,
    before: [
      `another workspace has published its own ownership record in the DNS of ${shownName(about)}, and asks for the domain.`,
      isHolderProven
        ? `Your own record is in DNS too. As long as it is, the domain stays with you and the claim ends on ${dayOf(decidesAt)}.`
        : `Your own record is not in DNS. Unless it is back by ${dayOf(decidesAt)}, the domain goes to that workspace then. Your mailboxes and their mail are deleted, and nobody else gets to see them.`,
      `${theRecord(about)}. ${KEEP} ${GIVE}`,
    ],
  })

export const recordGoneMail = (about: About, decidesAt: Date): Mail =>
  notice(about, {
    subject: `${shownName(about)} goes to another workspace unless its record is back`,
    before: [
      `another workspace has claimed ${shownName(about)}, and now your own ownership record is no longer in DNS. Unless it is back by ${dayOf(decidesAt)}, the domain goes to that workspace then, and your mailboxes and their mail are deleted.`,
      `${theRecord(about)}. ${KEEP} ${GIVE}`,
    ],
  })

export const reminderMail = (about: About, decidesAt: Date): Mail =>
  notice(about, {
    subject: `${shownName(about)} goes to another workspace soon`,
    before: [
      `the claim on ${shownName(about)} is decided on ${dayOf(decidesAt)}. Your own ownership record is not in DNS, so the domain would go to the other workspace then, and your mailboxes and their mail would be deleted. That cannot be undone.`,
      `${theRecord(about)}. ${KEEP}`,
    ],
  })

const kept: Partial<Record<ClaimOutcome, string>> = {
  withdrawn: 'was withdrawn',
  'both-proven': 'has ended, since your own record is in DNS too',
  lapsed: 'has ended, since the record of the other workspace is no longer in DNS',
}

export const keptMail = (about: About, outcome: ClaimOutcome): Mail =>
  notice(about, {
    subject: `${shownName(about)} stays with you`,
    before: [
      `the claim of another workspace on ${shownName(about)} ${kept[outcome] ?? 'has ended'}. The domain stays in your workspace, and nothing has changed.`,
    ],
  })

export const lostMail = (about: About, mailboxes: number): Mail =>
  farewell(about, {
    subject: `${shownName(about)} went to another workspace`,
    before: [
      `${shownName(about)} was claimed by another workspace, whose ownership record is in DNS, and yours was not. So the domain is no longer in your workspace: ${mailboxesIn(mailboxes)} with all mail in them were deleted. The other workspace sees nothing of them.`,
      'If that is wrong, mend the DNS of the domain and add it again: you can claim it in the same way.',
    ],
  })

export const askedMail = (about: About, { decidesAt, isHolderProven }: Claim): Mail =>
  notice(about, {
    subject: `You have claimed ${shownName(about)}`,
    before: [
      `your ownership record of ${shownName(about)} is in DNS, but another workspace holds the domain. Its Admins have been told.`,
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
    subject: `Your claim on ${shownName(about)} has ended`,
    before: [`your claim on ${shownName(about)} ${ended[outcome] ?? 'has ended'}.`],
  })

export const wonMail = (about: About): Mail =>
  notice(about, {
    subject: `${shownName(about)} is yours`,
    before: [
      `your claim has come through: ${shownName(about)} is in your workspace now. It starts empty, with keys of its own. Next, publish its other DNS records.`,
    ],
  })
