/** Connection, RCPT and DATA: whom the operators of this installation block or allow (decision 109). */
import type { App } from '#server/app.ts'
import { listedNetwork, listedSender } from '#server/features/junk/sender-list.ts'
import { type Listed, shownListed } from '#server/standards/junk/sender-list.ts'
import { spfDomain } from './reading/read-mail.ts'
import type { Sender, Verdict } from './sender/verdict.ts'
import { inReply, SmtpRefusal } from './smtp-refusal.ts'

/** Of one whom an operator blocks, which is no sign of trouble. */
export class Blocked extends SmtpRefusal {
  constructor(code: string, listed: Listed) {
    super(code, `The operator of this server blocks mail from ${inReply(shownListed(listed))}`)
    this.name = 'Blocked'
  }
}

/** null: not blocked, or the database is away, so that RCPT says to try later. */
export const refusalOfNetwork = async (app: App, ip: string): Promise<Blocked | null> => {
  try {
    const listed = await listedNetwork(app, ip)
    return listed?.action === 'block' ? new Blocked('554 5.7.1', listed) : null
  } catch (error) {
    app.log.debug({ err: error }, 'the list of senders could not be read')
    return null
  }
}

/** @throws Blocked */
export const refuseSender = async (app: App, address: string): Promise<void> => {
  const listed = await listedSender(app, address)
  if (listed?.action === 'block') throw new Blocked('550 5.7.1', listed)
}

/** Whether the client passes block lists elsewhere and the greylist. A sender is allowed only where SPF says that it is the sender. */
export const isClientAllowed = async (app: App, client: Sender): Promise<boolean> => {
  if ((await listedNetwork(app, client.ip))?.action === 'allow') return true
  if ((await listedSender(app, client.mailFrom))?.action !== 'allow') return false
  return (await spfDomain(app, client)) !== null
}

/** Of a whole message: what an operator allows of it, as it is listed; null: nothing. Anybody can write a name, so it has to be proven. */
export const allowanceOf = async (
  app: App,
  { ip, mailFrom }: Sender,
  { authentication: { spf, dmarc } }: Pick<Verdict, 'authentication'>,
  author: string,
): Promise<string | null> => {
  const [network, sender, from] = await Promise.all([
    listedNetwork(app, ip),
    // Not where the author is somebody else who says that it is forged.
    spf === 'pass' && dmarc !== 'fail' ? listedSender(app, mailFrom) : null,
    dmarc === 'pass' ? listedSender(app, author) : null,
  ])
  const allowed = [network, from, sender].find((listed) => listed?.action === 'allow')
  return allowed ? shownListed(allowed) : null
}
