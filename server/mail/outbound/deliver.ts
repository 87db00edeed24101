/** One claimed delivery: kept here or handed to another server, then the ledger. */

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
import { holdBack } from '#server/features/sending/stop-sending.ts'
import { openFairTurns } from '#server/lib/turns/turns.ts'
import { isDatabaseAway } from '#server/storage/database-away.ts'
import { type Attempts, deliverRemotely } from './deliver-remotely.ts'
import type { Ways } from './smtp/attempt.ts'
import { mailContent } from './smtp/mail-content.ts'

type Claim = { by: number; delivery: ClaimedDelivery; check: () => Promise<void> }

/**
 * @param persist runs what must be written in the end, also when the database is away now
 * @throws HostFull when it has to wait, and nothing was tried; ClaimLost when nothing was sent.
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
  const isKept =
    kind !== 'foreign' && (await inTurn(message, () => keepHere(app, claim, message, persist)))
  if (!isKept) await sendAway(app, claim, message, ways, persist)
}

const AGAIN_MS = 500

/** The process stops before it could be written. */
export class Unwritten extends Error {}

/** What must be written in the end: without a database it waits for it. */
export type Persist = <T>(write: () => Promise<T>) => Promise<T>

/** @throws Unwritten, and what is not about reaching the database */
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

/** Those that stay here are whole in memory, twice, until they are stored. */
const LARGE_BYTES = 1_000_000
const largeOnes = openFairTurns({ atOnce: 2, atOnceOfEach: 1 })

const inTurn = <T>(
  { workspaceId, sizeBytes }: OutboxMessage,
  keep: () => Promise<T>,
): Promise<T> => (sizeBytes > LARGE_BYTES ? largeOnes.take(workspaceId ?? '', keep) : keep())

/** @returns false when it is not for this installation. */
const keepHere = async (
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
  const held = await holdBack(app, message)
  const attempts: Attempts =
    held === null ? await deliverRemotely(app, recipientDomain, mail, ways) : [held]
  const raw = content.header
  await persist(() => finishAttempt(app, { by, delivery, message, raw }, attempts, null))
}
