/** Takes a message for its recipients: scored for each mailbox and filed there, or passed on to the readers of a role. */
import type { Authentication, Junk } from '#contract/messages.ts'
import type { App } from '#server/app.ts'
import { messageScorer, type Recipient, scoreForRole } from '#server/features/junk/junk-filter.ts'
import { findMessage } from '#server/features/messages/message-queries.ts'
import { type LocalMailbox, receiveMessage } from '#server/features/messages/receive-message.ts'
import { readDeliveries } from '#server/features/outbox/ledger-queries.ts'
import {
  type Complaint,
  complaintIn,
  noteComplaint,
} from '#server/features/sending/stops/complaints.ts'
import { vacationDue } from '#server/features/vacation/vacation-queries.ts'
import { newId } from '#server/lib/ids.ts'
import { isComplaint, readFeedbackReport } from '#server/standards/bounce/feedback-report.ts'
import type { MailFacts } from '#server/standards/junk/junk-rule.ts'
import type { MessageDigest } from '#server/standards/message-digest.ts'
import type { HeaderLine } from '#server/standards/message-lines.ts'
import type { MailStructure } from '#server/standards/mime/structure/mail-structure.ts'
import type { Db } from '#server/storage/database.ts'
import { FORWARDED, forwardToRole } from './forward-to-role.ts'
import type { Refusal, TakenRecipient } from './take-recipient.ts'

type RoleRecipient = Extract<TakenRecipient, { kind: 'role' }>

export type Taking = {
  /** The message with our trace fields in front. */
  raw: Buffer
  /** Reverse path; '': a bounce. */
  mailFrom: string
  authentication: Authentication | null
  digest: MessageDigest
  /** The facts that the junk rules judge; null: the sender is known here. */
  facts: MailFacts | null
}

const LOOP: Refusal = { code: '554 5.4.6', text: 'A forwarded message is not forwarded again' }

/** Refuses mail to a role that we forwarded before, which would loop. null: accept. */
export const refusalOfMessage = (
  headers: readonly HeaderLine[],
  recipients: readonly TakenRecipient[],
): Refusal | null => {
  const isForwarded = headers.some(
    ({ name, line }) => name === 'auto-submitted' && line.toLowerCase().includes(FORWARDED),
  )
  return isForwarded && recipients.some(({ kind }) => kind === 'role') ? LOOP : null
}

/** Stores what was taken: for all recipients, or for none. Within a transaction when `db` is one. A second call stores nothing twice: it throws. */
export type Keep = (db: Db) => Promise<void>

/** `wasKept`: a call of `keep` was committed, although its answer may have been lost. */
export type TakenMessage = {
  keep: Keep
  wasKept: (db: Db) => Promise<boolean>
  mailboxes: readonly LocalMailbox[]
}

/** Scores it first: that asks the database, and must not hold a transaction meanwhile. */
export const takeMessage = async (
  app: App,
  { facts, ...message }: Taking,
  recipients: readonly TakenRecipient[],
): Promise<TakenMessage> => {
  const mailboxes = recipients.filter((each) => each.kind === 'mailbox')
  const roles = onePerAddress(recipients.filter((each) => each.kind === 'role')).map((role) => ({
    ...role,
    id: newId(),
  }))
  const score = facts && messageScorer(app, facts, message.digest)
  const scored = await scoreForEach(score, mailboxes)
  const complaint = await complaintOf(app, message)
  const receive: Keep = (db) =>
    receiveMessage(app, db, { ...message, ifAnswerable: vacationDue }, scored)
  const wasKept = (db: Db) => hasAny(db, scored, roles)
  if (roles.length === 0 && complaint === null) return { keep: receive, wasKept, mailboxes: scored }
  const keepAll: Keep = async (tx) => {
    if (complaint !== null) await noteComplaint(app, tx, complaint)
    if (scored.length > 0) await receive(tx)
    const { raw, digest } = message
    for (const role of roles)
      await forwardToRole(app, tx, role, {
        ...{ id: role.id, raw, subject: digest.subject },
        ...(facts && { junk: scoreForRole(facts, role.address) }),
      })
  }
  const keep: Keep = (db) =>
    db.isTransaction ? keepAll(db) : app.db.transaction().execute(keepAll)
  return { keep, wasKept, mailboxes: scored }
}

type Numbered<T> = T & { id: string }

/** All are stored together, so that one of them tells of all. */
const hasAny = async (
  db: Db,
  [mailbox]: readonly Numbered<LocalMailbox>[],
  [role]: readonly Numbered<RoleRecipient>[],
): Promise<boolean> => {
  if (mailbox !== undefined)
    return (await findMessage(db, { ...mailbox, messageId: mailbox.id })) !== undefined
  return role !== undefined && (await readDeliveries(db, role.id)).length > 0
}

/** Of a report about mail from here; null: it is none. */
const complaintOf = async (
  app: App,
  { raw, authentication, digest }: Pick<Taking, 'raw' | 'authentication' | 'digest'>,
): Promise<Complaint | null> => {
  const { structure: written, from } = digest
  // Anybody can write a name: who complains has to be its domain.
  if (authentication?.dmarc !== 'pass') return null
  if (written === undefined || !/feedback-report/i.test(written.structure)) return null
  const report = readFeedbackReport(raw, JSON.parse(written.structure) as MailStructure)
  if (report === null || !isComplaint(report)) return null
  return complaintIn(app, report, from?.address ?? '')
}

/** Once for each mailbox, one after the other: a hundred recipients must not take all connections to the database. */
const scoreForEach = async (
  score: ((recipient: Recipient) => Promise<Junk>) | null,
  mailboxes: readonly Recipient[],
): Promise<Numbered<LocalMailbox>[]> => {
  const scored = new Map<string, Numbered<LocalMailbox>>()
  for (const mailbox of mailboxes) {
    const { mailboxId, workspaceId } = mailbox
    if (scored.has(mailboxId)) continue
    scored.set(mailboxId, {
      ...{ id: newId(), mailboxId, workspaceId },
      ...(score && { junk: await score(mailbox) }),
    })
  }
  return [...scored.values()]
}

const onePerAddress = (roles: readonly RoleRecipient[]): RoleRecipient[] => [
  ...new Map(roles.map((role) => [role.address.toLowerCase(), role])).values(),
]
