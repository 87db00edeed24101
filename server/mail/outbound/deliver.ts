/** One claimed delivery: kept here or handed to another server, then the ledger. */
import type { App } from '#server/app.ts'
import { holdBack } from '#server/features/messages/brakes/hold-back.ts'
import { deliverLocally } from '#server/features/messages/delivering/deliver-locally.ts'
import { finishAttempt } from '#server/features/messages/delivering/finish-attempt.ts'
import { type ClaimedDelivery, messageOf } from '#server/features/outbox/claim-deliveries.ts'
import { type Attempts, deliverRemotely } from './deliver-remotely.ts'
import type { Persist } from './persist.ts'
import type { Ways } from './smtp/attempt.ts'

type Claim = { by: number; delivery: ClaimedDelivery; check: () => Promise<void> }

/**
 * @param persist runs what must be written in the end, also when the database is away now
 * @throws HostFull when it has to wait, and nothing was tried; ClaimLost when nothing was sent.
 */
export const deliver = async (
  app: App,
  { by, delivery, check }: Claim,
  ways: Ways & { policyPort: number },
  persist: Persist,
): Promise<void> => {
  const message = await messageOf(app, delivery)
  if (message === undefined) return
  const raw = await app.blobs.get(message.blob)
  const { mailFrom } = message
  const { recipient, recipientDomain } = delivery
  const local = await deliverLocally(app, message, recipient, raw)
  const held = local === null ? await holdBack(app, message) : null
  const kept = local?.attempt ?? held
  const attempts: Attempts =
    kept === null
      ? await deliverRemotely(
          app,
          recipientDomain,
          { ehlo: app.config.mailHost, mailFrom, recipient, raw, mayEnd: check },
          ways,
        )
      : [kept]
  await persist(() => finishAttempt(app, { by, delivery, message, raw }, attempts, local))
}
