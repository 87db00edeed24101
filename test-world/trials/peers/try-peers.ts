/**
 * Third-party programs on loopback: OpenDKIM and dkimpy verify our signatures; swaks, smtp-source and Postfix deliver mail,
 * Postfix accepts ours, and swaks and msmtp send as mail programs. Needs Debian's packages opendkim-tools, python3-dkim, swaks,
 * msmtp and postfix, and root.
 */
import type { DnsRecord } from '#contract/domains.ts'
import { ELSEWHERE, type Product } from '../../product.ts'
import { type Account, aMailboxAt, anActiveDomain, publish } from '../account.ts'
import { exchangeWithPostfix } from './exchange-with-postfix.ts'
import { sendWithSmtpSource, sendWithSwaks } from './mail-transfer.ts'
import { type Judged, judgeSignatures } from './signatures.ts'
import { submitWithPrograms } from './submit-with-programs.ts'
import { whatIsMissing } from './tools.ts'

export type PeersTrial = { accepted: Judged['accepted']; transferred: number; faults: string[] }

const SIGNED = 100
const MAILS_AT_ONCE = 400

export const tryPeers = async (product: Product, account: Account): Promise<PeersTrial> => {
  const nothing = { opendkim: 0, dkimpyRsa: 0, dkimpyEd25519: 0 }
  const missing = await whatIsMissing()
  if (missing !== null)
    return { accepted: nothing, transferred: 0, faults: [`peers were not tried: ${missing}`] }
  const domain = await anActiveDomain(product, account, 'peers.example')
  const second: DnsRecord[] = await account.ask('GET', `/domains/${domain._id}/optional-records`)
  publish(product, second)
  const records: DnsRecord[] = await account.ask('POST', `/dns-records/verify-dns/${domain._id}`)
  const keys = [...second, ...records].filter(({ purpose }) => purpose.startsWith('dkim'))
  const mailbox = await aMailboxAt(account, domain, 'ada')
  const { accepted, faults } = await judgeSignatures(
    await sentMails(product, account, mailbox._id),
    keys,
  )
  faults.push(...(await sendWithSwaks(product, account, mailbox)))
  faults.push(...(await sendWithSmtpSource(product, account, mailbox, MAILS_AT_ONCE)))
  faults.push(...(await exchangeWithPostfix(product, account, mailbox)))
  faults.push(...(await submitWithPrograms(product, account, mailbox)))
  return { accepted, transferred: MAILS_AT_ONCE, faults }
}

/** As another server receives them, each of another kind. */
const sentMails = async (
  { peer }: Product,
  account: Account,
  mailboxId: string,
): Promise<Buffer[]> => {
  const to = `judge@${ELSEWHERE}`
  const areForUs = () => peer.messages.filter((message) => message.to.includes(to))
  for (let n = 0; n < SIGNED; n++)
    await account.ask('POST', `/mailboxes/${mailboxId}/messages`, { to: [to], ...contentOf(n) })
  for (let seen = peer.messages.length; areForUs().length < SIGNED; )
    seen = (await peer.arrived(seen + 1)).length
  return areForUs().map(({ raw }) => raw)
}

const contentOf = (n: number) => ({
  subject: ['Plain', 'Grüße ✉', 'A long one '.repeat(20), '  spaces   inside  ', ''][n % 5] ?? '',
  text: ['', 'Hello\n.\n..\n', 'trailing \t \n\n\n', `${'long '.repeat(400)}\n`][n % 4] ?? '',
  ...(n % 3 === 0 && { html: `<p>Größe ${n}</p>` }),
  ...(n % 7 === 0 && { cc: ['Somebody, Else <else@elsewhere.example>'.replace(',', '')] }),
  attachments:
    n % 6 === 0
      ? [{ filename: 'größe.txt', contentType: 'text/plain', content: btoa(`file ${n}`) }]
      : [],
})
