/** Counts complaints about mail from here against the mailbox that sent it (decision 110). */
import { createHash } from 'node:crypto'
import type { App } from '#server/app.ts'
import { readHolder } from '#server/features/domains/domain-queries.ts'
import { mailboxIdAt, mailboxRows } from '#server/features/mailboxes/mailbox-queries.ts'
import { findSenderOf } from '#server/features/messages/message-queries.ts'
import { newId } from '#server/lib/ids.ts'
import { domainOf } from '#server/standards/address.ts'
import type { FeedbackReport } from '#server/standards/bounce/feedback-report.ts'
import type { Db } from '#server/storage/database.ts'
import { insertComplaint } from './stops-store.ts'

export type Complaint = {
  workspaceId: string
  mailboxId: string
  kind: string
  reporter: string
  about: Buffer
}

/**
 * Whom a report is about; null: nobody here, or it does not prove it. Anybody can write a report and a sender's name, so the mail has to be
 * one that the mailbox sent, or to be signed for the domain of its sender. `from`: the author of the report, whose domain is proven.
 */
export const complaintIn = async (
  { db, clock }: Pick<App, 'db' | 'clock'>,
  { type, recipient, original }: FeedbackReport,
  from: string,
): Promise<Complaint | null> => {
  const sent = await senderByMessage(db, original)
  const sender = sent ?? (await senderBySignature(db, original))
  if (sender === null) return null
  const reporter = domainOf(from).toLowerCase()
  const isKnown = sent !== null && recipient !== ''
  // What is quoted may be invented: then a reporter counts once a day.
  const day = clock.now().toISOString().slice(0, 10)
  const about = isKnown ? [original.messageId, recipient] : [reporter, day]
  return {
    ...{ ...sender, kind: type, reporter },
    about: createHash('sha256').update(JSON.stringify(about)).digest(),
  }
}

type Sender = Pick<Complaint, 'workspaceId' | 'mailboxId'>
type Original = FeedbackReport['original']

const senderByMessage = async (
  db: Db,
  { messageId, senders, signers }: Original,
): Promise<Sender | null> => {
  if (messageId === '') return null
  const names = new Set([...senders.map(domainOf), ...signers])
  for (const name of names) {
    const workspaceId = (await readHolder(db, name))?.workspaceId
    if (workspaceId === undefined) continue
    const mailboxId = await findSenderOf(db, workspaceId, messageId)
    if (mailboxId !== null) return { workspaceId, mailboxId }
  }
  return null
}

const senderBySignature = async (
  db: Db,
  { senders, signers }: Original,
): Promise<Sender | null> => {
  const signed = senders.filter((address) => signers.includes(domainOf(address)))
  for (const address of signed) {
    const row = await mailboxRows(db).where('id', 'in', mailboxIdAt(db, address)).executeTakeFirst()
    if (row !== undefined) return { workspaceId: row.workspaceId, mailboxId: row.id }
  }
  return null
}

/** The same complaint counts once. */
export const noteComplaint = async (app: App, tx: Db, complaint: Complaint): Promise<void> => {
  const { about: _, ...told } = complaint
  if (await insertComplaint(tx, { id: newId(), ...complaint, at: app.clock.now() }))
    app.logEvent('complaint-received', told)
}
