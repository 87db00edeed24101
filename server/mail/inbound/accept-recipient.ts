/** RCPT: whom we take mail for. Nothing is accepted here that would be bounced later. */
import type { App } from '#server/app.ts'
import { readersOfRole } from '#server/features/intake/forward-to-role.ts'
import { networkOf, tryThrottle } from '#server/features/limits/throttle.ts'
import { findRecipient } from '#server/features/mailboxes/find-recipient.ts'
import { hasAmpleRoom } from '#server/features/messages/check-room.ts'
import { greylistRecipient } from './greylist-recipient.ts'
import { SmtpRefusal } from './smtp-refusal.ts'

export type AcceptedRecipient =
  | { kind: 'mailbox'; mailboxId: string; workspaceId: string; email: string }
  | { kind: 'role'; workspaceId: string | null; address: string }

export type Client = {
  ip: string
  helo: string
  mailFrom: string
  /** What MAIL said with SIZE. */
  declaredBytes: number
  /** Asked once in a connection. @throws SmtpRefusal when a block list names it. */
  refuseListed: () => Promise<void>
}

/**
 * Block lists and the greylist are not for postmaster@ and abuse@: that is where one complains about them.
 * @throws SmtpRefusal, STORAGE_FULL, or what the database throws.
 */
export const acceptRecipient = async (
  app: App,
  address: string,
  client: Client,
): Promise<AcceptedRecipient> => {
  const recipient = await findRecipient(app, address)
  switch (recipient.kind) {
    case 'mailbox':
      await hasAmpleRoom(app, recipient, client.declaredBytes)
      await client.refuseListed()
      await greylistRecipient(app, client, recipient)
      return recipient
    case 'role':
      if ((await readersOfRole(app, recipient.workspaceId)).length === 0)
        throw new SmtpRefusal('450 4.2.1', 'Nobody reads this address yet')
      await refuseFlood(app, recipient.workspaceId, client.ip)
      return { ...recipient, address: address.includes('@') ? address : roleAddress(app) }
    case 'unknown':
      throw new SmtpRefusal('550 5.1.1', 'No such mailbox here')
    case 'foreign':
      throw new SmtpRefusal('550 5.7.1', 'We do not relay for this domain')
  }
}

/** What comes for these two is passed on in our own name, so nobody may have much of it passed on. */
const FROM_A_NETWORK = { limit: 10, windowSeconds: 3_600 }
const FOR_A_ROLE = { limit: 100, windowSeconds: 3_600 }

/** @throws SmtpRefusal 450 */
const refuseFlood = async (app: App, workspaceId: string | null, ip: string): Promise<void> => {
  const key = `role-mail:${workspaceId ?? 'operator'}`
  const waitSeconds =
    (await tryThrottle(app, `${key}:${networkOf(ip)}`, FROM_A_NETWORK)) ||
    (await tryThrottle(app, key, FOR_A_ROLE))
  if (waitSeconds > 0)
    throw new SmtpRefusal('450 4.7.1', 'Too much mail for this address; come again')
}

const roleAddress = (app: App): string => `postmaster@${app.config.mailHost}`
