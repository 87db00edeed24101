/** GREYLIST: who is not known here is asked to come again, which programs that only send junk seldom do. */
import type { App } from '#server/app.ts'
import { greylistWaitSeconds } from '#server/features/junk/greylist.ts'
import { networkOf } from '#server/features/limits/throttle.ts'
import { isStranger } from './guessing.ts'
import { spfDomain } from './reading/read-mail.ts'
import { SmtpRefusal } from './smtp-refusal.ts'

type Client = { ip: string; helo: string; mailFrom: string }
type Mailbox = { workspaceId: string; mailboxId: string; email: string }

/** @throws SmtpRefusal 450 */
export const greylistRecipient = async (
  app: App,
  client: Client,
  mailbox: Mailbox,
): Promise<void> => {
  if (!app.config.greylist || !isStranger(app, client.ip)) return
  const { mailFrom } = client
  const seconds = await greylistWaitSeconds(app, await placeOf(app, client), mailFrom, mailbox)
  if (seconds === 0) return
  throw new SmtpRefusal(
    '450 4.2.0',
    `We do not know this sender yet: please try again in ${seconds} seconds, as mail servers do`,
  )
}

/** Large senders come back from another address, so whoever passes SPF is known by its domain. */
const placeOf = async (app: App, client: Client): Promise<string> =>
  (await spfDomain(app, client)) ?? wideNetworkOf(client.ip)

/** IPv4: /24, IPv6: /64. */
const wideNetworkOf = (ip: string): string =>
  ip.includes(':') ? networkOf(ip) : `${ip.slice(0, ip.lastIndexOf('.'))}.0/24`
