/** RCPT: what `intake` takes mail for, and what the client has to pass before. */
import type { App } from '#server/app.ts'
import {
  type FindRecipient,
  refusals,
  type TakenRecipient,
  takeRecipient,
} from '#server/features/intake/take-recipient.ts'
import { greylistWaitSeconds } from '#server/features/junk/greylist.ts'
import { networkOf, tryThrottle } from '#server/features/limits/throttle.ts'
import { HOUR_SECONDS } from '#server/lib/clock.ts'
import { isListing, reversedAddress } from '#server/standards/junk/dnsbl.ts'
import { isStranger } from './guessing.ts'
import { refuseSender } from './listed-senders.ts'
import { spfDomain } from './reading/read-mail.ts'
import { inReply, refusedWith, SmtpRefusal } from './smtp-refusal.ts'

export type Client = {
  ip: string
  helo: string
  mailFrom: string
  /** The SIZE parameter of MAIL. */
  declaredBytes: number
  /** An operator of this installation allows the client or the sender. */
  isAllowed: () => Promise<boolean>
  /** Checked once per connection. @throws SmtpRefusal when a block list contains the client */
  refuseListed: () => Promise<void>
  /** Absent: asks the database. */
  find?: FindRecipient
}

/**
 * Block lists and the greylist are not for postmaster@ and abuse@: that is where one complains about them.
 * @throws SmtpRefusal, or what the database throws.
 */
export const acceptRecipient = async (
  app: App,
  address: string,
  client: Client,
): Promise<TakenRecipient> => {
  const recipient = await takeRecipient(app, address, client.declaredBytes, client.find)
  switch (recipient.kind) {
    case 'refused':
      throw refusedWith(refusals[recipient.why])
    case 'mailbox':
      await refuseSender(app, client.mailFrom)
      if (await client.isAllowed()) return recipient
      await client.refuseListed()
      await greylistRecipient(app, client, recipient)
      return recipient
    case 'role':
      await refuseFlood(app, recipient.workspaceId, client.ip)
      return recipient
  }
}

/** postmaster@ and abuse@ are forwarded in our name, so the amount of such mail is limited. */
const FROM_A_NETWORK = { limit: 10, windowSeconds: HOUR_SECONDS }
const FOR_A_ROLE = { limit: 100, windowSeconds: HOUR_SECONDS }

/** @throws SmtpRefusal 450 */
const refuseFlood = async (app: App, workspaceId: string | null, ip: string): Promise<void> => {
  const key = `role-mail:${workspaceId ?? 'operator'}`
  const waitSeconds =
    (await tryThrottle(app, `${key}:${networkOf(ip)}`, FROM_A_NETWORK)) ||
    (await tryThrottle(app, key, FOR_A_ROLE))
  if (waitSeconds > 0)
    throw new SmtpRefusal('450 4.7.1', 'Too much mail for this address; try again later')
}

type Mailbox = { workspaceId: string; mailboxId: string; email: string }

/**
 * GREYLIST: unknown senders get a temporary error. Mail servers retry; programs that only send junk seldom do.
 * @throws SmtpRefusal 450
 */
const greylistRecipient = async (app: App, client: Client, mailbox: Mailbox): Promise<void> => {
  if (!app.config.greylist || !isStranger(app, client.ip)) return
  const { mailFrom } = client
  const seconds = await greylistWaitSeconds(app, await greylistKey(app, client), mailFrom, mailbox)
  if (seconds === 0) return
  throw new SmtpRefusal(
    '450 4.2.0',
    `This sender is not known yet; try again in ${seconds} seconds`,
  )
}

/** The client's SPF domain if it passes SPF, because large senders retry from other IP addresses; else its network. */
const greylistKey = async (app: App, client: Client): Promise<string> =>
  (await spfDomain(app, client)) ?? wideNetworkOf(client.ip)

/** IPv4: /24, IPv6: /64. */
const wideNetworkOf = (ip: string): string =>
  ip.includes(':') ? networkOf(ip) : `${ip.slice(0, ip.lastIndexOf('.'))}.0/24`

type Listing = { zone: string; reason: string }

/**
 * DNSBL: refuses clients on one of the operator's block lists. A list that does not answer counts as not listing the client.
 * @throws SmtpRefusal that names the list, and its reason where it gives one.
 */
export const refuseListed = async (app: App, ip: string): Promise<void> => {
  const { dnsbl } = app.config
  if (dnsbl.length === 0 || !isStranger(app, ip)) return
  const found = await Promise.all(dnsbl.map((zone) => listingOf(app, ip, zone)))
  const [first] = found.filter((listing) => listing !== null)
  if (first === undefined) return
  const { zone, reason } = first
  throw new SmtpRefusal(
    '550 5.7.1',
    `${ip} is on the block list ${zone}${reason === '' ? '' : `: ${reason}`}`,
  )
}

const listingOf = async (app: App, ip: string, zone: string): Promise<Listing | null> => {
  const reversed = reversedAddress(ip)
  if (reversed === null) return null
  const name = `${reversed}.${zone}`
  const answer = await app.dns.lookUp(name, 'A')
  if (answer.outcome === 'failed')
    app.log.debug({ zone, reason: answer.reason }, 'a block list did not answer')
  if (answer.outcome !== 'found' || !answer.records.some(({ data }) => isListing(data))) return null
  const text = await app.dns.lookUp(name, 'TXT')
  const reason = text.outcome === 'found' ? (text.records[0]?.data ?? '') : ''
  return { zone, reason: inReply(reason, 200) }
}
