/** What the Admins are told while the proof of their domain is missing: before each step, and when it is taken. */
import type { Mail } from '#server/features/auth/accounts/mail-templates.ts'
import type { MissingProof } from '../missing-proof.ts'
import { type About, dayOf, farewell, mailboxesIn, notice, shownName, theRecord } from './notice.ts'

const BACK = 'As soon as it is seen there, everything is as it was.'

export const warnedMail = (about: About, { since, stopsAt, releasesAt }: MissingProof): Mail =>
  notice(about, {
    subject: `The ownership record of ${shownName(about)} is missing`,
    before: [
      `the record that proves that ${shownName(about)} is yours has not been in DNS since ${dayOf(since)}.`,
      `If it stays away, sending from this domain stops on ${dayOf(stopsAt)}, and on ${dayOf(releasesAt)} the domain is released and its mailboxes are deleted with their mail. Until then mail arrives as before.`,
      `${theRecord(about)}. ${BACK}`,
    ],
  })

export const stoppedMail = (about: About, { releasesAt }: MissingProof): Mail =>
  notice(about, {
    subject: `Sending from ${shownName(about)} has stopped`,
    before: [
      `the ownership record of ${shownName(about)} has been missing for a week, so nothing is sent from this domain any more. Mail still arrives.`,
      `On ${dayOf(releasesAt)} the domain is released, and its mailboxes are deleted with their mail.`,
      `${theRecord(about)}. ${BACK}`,
    ],
  })

export const lastCallMail = (about: About, { releasesAt }: MissingProof, mailboxes: number): Mail =>
  notice(about, {
    subject: `${shownName(about)} will be released in a week`,
    before: [
      `the ownership record of ${shownName(about)} is still missing. On ${dayOf(releasesAt)} the domain is released: mail for it is refused from then on, and ${mailboxesIn(mailboxes)} with all mail in them are deleted. That cannot be undone.`,
      `${theRecord(about)}. ${BACK}`,
    ],
  })

export const releasedMail = (about: About, mailboxes: number): Mail =>
  farewell(about, {
    subject: `${shownName(about)} was released`,
    before: [
      `the ownership record of ${shownName(about)} was missing for so long that the domain was released today: it is no longer in your workspace, and ${mailboxesIn(mailboxes)} with all mail in them were deleted.`,
      'You can add the domain again. It then starts empty, with a new record and new keys.',
    ],
  })

export const backMail = (about: About): Mail =>
  notice(about, {
    subject: `The ownership record of ${shownName(about)} is back`,
    before: [
      `the record that proves that ${shownName(about)} is yours is in DNS again. Sending and receiving work as before, and nothing was lost.`,
    ],
  })
