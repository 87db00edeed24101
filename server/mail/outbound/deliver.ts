/** Executes one claimed delivery: local or to another server, then the ledger. */

import { setTimeout as wait } from 'node:timers/promises'
import type { App } from '#server/app.ts'
import { deliverLocally } from '#server/features/intake/deliver-locally.ts'
import { findRecipient } from '#server/features/mailboxes/find-recipient.ts'
import {
  type ClaimedDelivery,
  messageOf,
  type OutboxMessage,
} from '#server/features/outbox/claim-deliveries.ts'
import { finishAttempt } from '#server/features/sending/finish-attempt.ts'
import { holdBack } from '#server/features/sending/stops/stop-sending.ts'
import { openFairTurns } from '#server/lib/turns/turns.ts'
import { isDatabaseAway } from '#server/storage/database-away.ts'
import { type Attempts, deliverRemotely } from './deliver-remotely.ts'
import type { Ways } from './smtp/attempt.ts'
import { mailContent } from './smtp/mail-content.ts'

type Claim = { by: number; delivery: ClaimedDelivery; check: () => Promise<void> }

/**
 * @param persist runs a write that must succeed, even if the database is away now
 * @throws HostFull when the delivery has to wait untried; ClaimLost when nothing was sent
 */
export const deliver = async (
  app: App,
  claim: Claim,
  ways: Ways & { policyPort: number },
  persist: Persist,
): Promise<void> => {
  const message = await messageOf(app, claim.delivery)
  if (message === undefined) return
  const { kind } = await findRecipient(app, claim.delivery.recipient)
  const isLocal =
    kind !== 'foreign' && (await inTurn(message, () => deliverHere(app, claim, message, persist)))
  if (!isLocal) await sendAway(app, claim, message, ways, persist)
}

const AGAIN_MS = 500

/** The process stops before the result could be written. */
export class Unwritten extends Error {}

/** Runs a write that must succeed: waits while the database is away. */
export type Persist = <T>(write: () => Promise<T>) => Promise<T>

/** @throws Unwritten, and every error that is not about reaching the database */
export const persistUntil =
  (closing: AbortSignal): Persist =>
  async (write) => {
    while (true) {
      try {
        return await write()
      } catch (error) {
        if (!isDatabaseAway(error)) throw error
        if (closing.aborted) throw new Unwritten('the database is away', { cause: error })
      }
      await wait(AGAIN_MS, null, { signal: closing }).catch(() => {})
    }
  }

/** A message for a local mailbox is in memory twice until it is stored. */
const LARGE_BYTES = 1_000_000
const largeOnes = openFairTurns({ atOnce: 2, atOnceOfEach: 1 })

const inTurn = <T>(
  { workspaceId, sizeBytes }: OutboxMessage,
  keep: () => Promise<T>,
): Promise<T> => (sizeBytes > LARGE_BYTES ? largeOnes.take(workspaceId ?? '', keep) : keep())

/** @returns false when the recipient is not on this installation */
const deliverHere = async (
  app: App,
  { by, delivery }: Claim,
  message: OutboxMessage,
  persist: Persist,
): Promise<boolean> => {
  const raw = await app.blobs.get(message.blob)
  const local = await deliverLocally(app, message, delivery.recipient, raw)
  if (local === null) return false
  await persist(() => finishAttempt(app, { by, delivery, message, raw }, [local.attempt], local))
  return true
}

const sendAway = async (
  app: App,
  { by, delivery, check }: Claim,
  message: OutboxMessage,
  ways: Ways & { policyPort: number },
  persist: Persist,
): Promise<void> => {
  const content = await mailContent(await app.blobs.open(message.blob))
  const { recipient, recipientDomain } = delivery
  const { mailFrom } = message
  const mail = { ehlo: app.config.mailHost, mailFrom, recipient, content, mayEnd: check }
  const heldBack = await holdBack(app, message)
  const attempts: Attempts =
    heldBack === null ? await deliverRemotely(app, recipientDomain, mail, ways) : [heldBack]
  const raw = content.header
  await persist(() => finishAttempt(app, { by, delivery, message, raw }, attempts, null))
}
