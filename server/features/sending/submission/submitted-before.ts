/** What is in Sent of a message that a mail program hands in: its own copy, or the same message from a moment ago (decision 099). */
import type { App } from '#server/app.ts'
import { findSentCopies } from '#server/features/messages/message-queries.ts'
import { findOutgoing, readDeliveries } from '#server/features/outbox/ledger-queries.ts'
import { DAY_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import type { MessageDigest } from '#server/standards/message-digest.ts'
import type { Db } from '#server/storage/database.ts'
import type { Recipients } from '../compose-message.ts'

type Submitting = {
  mailbox: { id: string; workspaceId: string }
  mailFrom: string
  recipients: Recipients
  digest: Pick<MessageDigest, 'messageId'>
  /** Before it was signed, and afterwards. */
  message: Buffer
  raw: Buffer
  at: Date
}

export type Before = {
  /** Sent already, to the same people and word by word. */
  repeated: string | null
  /** The program put its copy into Sent before it sent. */
  appended: string | null
}

/** As `appendMessages` waits for a copy. */
const SAME_SENT_SECONDS = DAY_SECONDS
/** A program whose connection broke after the final dot tries again within this time. */
const REPEAT_SECONDS = 3_600
/** A key may have come meanwhile. Others differ, and are not read. */
const MAX_SIGNATURE = 2_000

export const findSubmitted = async (
  app: App,
  db: Db,
  { mailbox, mailFrom, recipients, digest: { messageId }, message, raw, at }: Submitting,
): Promise<Before> => {
  const { workspaceId, id: mailboxId } = mailbox
  const since = secondsAfter(at, -SAME_SENT_SECONDS)
  const copies =
    messageId === '' ? [] : await findSentCopies(db, { workspaceId, mailboxId }, messageId, since)
  const people = Object.values(recipients).flat()
  const before: Before = { repeated: null, appended: null }
  for (const { id } of copies) {
    const sent = await findOutgoing(db, workspaceId, id)
    if (sent === undefined) before.appended ??= id
    else if (
      sent.mailFrom === mailFrom &&
      sent.createdAt >= secondsAfter(at, -REPEAT_SECONDS) &&
      Math.abs(sent.sizeBytes - raw.length) < MAX_SIGNATURE &&
      isToTheSame(await readDeliveries(db, sent.id), people) &&
      endsWith(await app.blobs.get(sent.blob), message)
    )
      before.repeated = id
  }
  return before
}

const isToTheSame = (
  deliveries: readonly { recipient: string }[],
  people: readonly { address: string }[],
): boolean => {
  const wanted = new Set(people.map(({ address }) => address))
  return deliveries.length === wanted.size && deliveries.every((one) => wanted.has(one.recipient))
}

/** The signatures stand in front. */
const endsWith = (raw: Buffer, message: Buffer): boolean =>
  raw.subarray(Math.max(0, raw.length - message.length)).equals(message)
