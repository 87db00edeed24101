/** What moving the MX records of a domain here would change, and for which mailboxes, in sentences. Pure. */
import type { PresentMx } from '#server/storage/rows/domain-tables.ts'
import { listed } from './seen.ts'
import { type MailService, serviceOfMx } from './services.ts'

type Receiving = {
  domain: string
  /** Lowest preference first. */
  hosts: PresentMx[]
  mailHost: string
  /** The number of mailboxes of the domain that receive mail here. */
  mailboxes: number
  /** Of a mailbox that gets the mail for addresses that nobody has. */
  catchAll: string | null
}

export type PresentMail = {
  hosts: PresentMx[]
  service: MailService | null
  /** The hosts that are not ours. */
  foreign: PresentMx[]
  isOurs: boolean
  hasNullMx: boolean
}

export const presentMail = (mx: readonly PresentMx[], mailHost: string): PresentMail => {
  const hosts = mx.filter(({ host }) => host !== '.')
  const best = Math.min(...hosts.map(({ priority }) => priority))
  const first = hosts.filter(({ priority }) => priority === best)
  const ourName = mailHost.toLowerCase()
  // Our host name with an appended domain: a mistake of the DNS provider's editor that leads nowhere.
  const isOur = ({ host }: PresentMx) => host === ourName || host.startsWith(`${ourName}.`)
  const foreign = hosts.filter((each) => !isOur(each))
  return {
    hosts,
    foreign,
    service: foreign.map(({ host }) => serviceOfMx(host)).find((each) => each !== null) ?? null,
    isOurs: first.length > 0 && first.every(isOur),
    hasNullMx: hosts.length === 0 && mx.length > 0,
  }
}

/** The name of the other service that receives mail, or its first host; null when there is none. */
export const elsewhereOf = ({ service, foreign }: PresentMail): string | null =>
  service?.name ?? foreign[0]?.host ?? null

/** Empty when the move changes nothing. */
export const receivingChanges = ({
  domain,
  hosts: mx,
  mailHost,
  mailboxes,
  catchAll,
}: Receiving): string[] => {
  const mail = presentMail(mx, mailHost)
  if (mail.hasNullMx)
    return [
      `${domain} says today that it takes no mail at all (a null MX). With our MX record in its place it begins to receive mail here.`,
      ...effectOnMailboxes({ domain, mailboxes, catchAll }, null),
    ]
  if (mail.hosts.length === 0 || mail.isOurs) return []
  const where = mail.service?.name ?? listed(mail.foreign.slice(0, 3).map(({ host }) => host))
  const isShared = mail.foreign.length < mail.hosts.length
  return [
    isShared
      ? `Mail for ${domain} goes to ${where} and comes here, as its MX records have it now. With ours alone, all new mail comes here.`
      : `All mail for ${domain} goes to ${where} now. With our MX record in the place of the present ${mail.hosts.length > 1 ? 'ones' : 'one'}, new mail comes here instead.`,
    ...effectOnMailboxes({ domain, mailboxes, catchAll }, where),
    effectOnOldMail(mail.service, where),
    `Sending from here does not need this change: it works also while mail for ${domain} goes on arriving at ${where}.`,
  ]
}

const effectOnMailboxes = (
  { domain, mailboxes, catchAll }: Pick<Receiving, 'domain' | 'mailboxes' | 'catchAll'>,
  where: string | null,
): string[] => {
  const first =
    where === null ? '' : `, so first create one for everybody who reads mail at ${where}`
  if (mailboxes === 0 && catchAll !== null)
    return [`Mail to every address of ${domain} would go to the catch-all here, ${catchAll}.`]
  if (mailboxes === 0)
    return [
      `No mailbox of ${domain} takes mail here yet: mail to every address would be refused${first}.`,
    ]
  const who = mailboxes === 1 ? 'The one mailbox' : `The ${mailboxes} mailboxes`
  const rest = catchAll === null ? 'be refused' : `go to the catch-all, ${catchAll}`
  return [
    `${who} of ${domain} here would receive it; mail to any other address would ${rest}${first}.`,
  ]
}

const effectOnOldMail = (service: MailService | null, where: string): string => {
  if (service?.does === 'filter')
    return `Mail would no longer pass through ${where}, and no longer reach the mailboxes behind it; what they hold stays there.`
  if (service?.does === 'forwarding')
    return `${where} would forward nothing any more; people who are reached through it need a mailbox here.`
  return `Mail that is stored at ${where} stays there and can be read there, but nothing new arrives there.`
}
