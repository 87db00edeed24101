/**
 * One mail server for all other domains of the demo: it receives the mail of the product, and its people can answer. Nothing
 * leaves this machine.
 */
import { generateKeyPairSync } from 'node:crypto'
import type { Email } from 'postal-mime'
import { newId } from '#server/lib/ids.ts'
import { dkimSign } from '#server/standards/dkim-sign.ts'
import { parseMessage, unreadableEmail } from '#server/standards/message-text.ts'
import { type MessageToWrite, writeMessage } from '#server/standards/message-writer.ts'
import { sendMail } from '#test-world/smtp/smtp-client.ts'
import { aSmtpPeer, type PeerMessage } from '#test-world/smtp/smtp-peer.ts'
import type { SandboxZones } from './sandbox-zones.ts'

const domains = [
  ...['harbourlight.example', 'okafor-architects.example', 'postbox.example'],
  ...['tidepool-press.example', 'paperplane.example', 'skylark-travel.example'],
]
/** Its SPF record allows no server: its mail is forged. */
const FORGED_DOMAIN = 'prize-winners.example'
const SELECTOR = 'mail'
const ANSWER_AFTER_MS = 1_500

export type Elsewhere = {
  /** For MX_PORT. */
  port: number
  /** A message from one of its people, signed by the domain. */
  write(message: MessageToWrite): Promise<Buffer>
  /** Lets its people answer their mail, to this port. */
  startAnswering(smtpPort: number): void
  close(): Promise<void>
}

export const openElsewhere = async (zones: SandboxZones): Promise<Elsewhere> => {
  const key = makeKey()
  const timers = new Set<NodeJS.Timeout>()
  let answerTo: number | null = null
  const peer = await aSmtpPeer({ behave: refuse, onMessage: (message) => planAnswer(message) })
  publishDomains(zones, key.publicKey)

  const write = async (message: MessageToWrite): Promise<Buffer> => {
    const raw = await writeMessage(message)
    const domain = domainOf(message.from.address)
    const keys = [{ selector: SELECTOR, algorithm: 'rsa' as const, privateKeyPem: key.privateKey }]
    return domains.includes(domain) ? dkimSign(raw, domain, keys, message.date) : raw
  }

  const planAnswer = (message: PeerMessage): void => {
    const port = answerTo
    if (port === null || message.from === '') return
    const timer = setTimeout(async () => {
      timers.delete(timer)
      for (const person of message.to.filter(isPerson)) {
        const answer = await answerFrom(person, message)
        // The program may be stopping, or the mailbox may be deleted: then the answer is dropped.
        if (answer)
          await sendMail(port, { from: person, to: message.from, raw: await write(answer) }).catch(
            () => {},
          )
      }
    }, ANSWER_AFTER_MS)
    timers.add(timer)
  }
  return {
    port: peer.port,
    write,
    startAnswering: (smtpPort) => {
      answerTo = smtpPort
    },
    close: () => {
      answerTo = null
      for (const timer of timers) clearTimeout(timer)
      return peer.close()
    },
  }
}

/** Two addresses demonstrate failures: a bounce and a deferral. */
const refuse = (stage: string, argument: string): string | undefined => {
  if (stage !== 'rcpt') return undefined
  if (argument.startsWith('nobody@')) return '550 5.1.1 There is nobody of this name here'
  if (argument.startsWith('later@')) return '451 4.7.1 Please try again later'
  return undefined
}

const makeKey = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'der' },
  })

const publishDomains = (zones: SandboxZones, publicKey: Buffer): void => {
  for (const domain of domains) {
    zones.addZone(domain, true)
    zones.set(domain, 'MX', [`10 mx.${domain}`])
    zones.set(`mx.${domain}`, 'A', ['127.0.0.1'])
    zones.set(domain, 'TXT', ['v=spf1 ip4:127.0.0.1 -all'])
    zones.set(`_dmarc.${domain}`, 'TXT', ['v=DMARC1; p=reject'])
    const dkim = `v=DKIM1; k=rsa; p=${publicKey.toString('base64')}`
    zones.set(`${SELECTOR}._domainkey.${domain}`, 'TXT', [dkim])
  }
  zones.addZone(FORGED_DOMAIN, true)
  zones.set(FORGED_DOMAIN, 'TXT', ['v=spf1 -all'])
  zones.set(`_dmarc.${FORGED_DOMAIN}`, 'TXT', ['v=DMARC1; p=none'])
}

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1)

/** Newsletters and automatic senders do not answer. */
const isPerson = (address: string): boolean =>
  domains.includes(domainOf(address)) && !/^(no-?reply|news|newsletter|billing)@/.test(address)

/** null for automatic mail (RFC 3834 §2). A test mail asks a person for an answer, and gets one. */
const answerFrom = async (
  address: string,
  message: PeerMessage,
): Promise<MessageToWrite | null> => {
  const parsed = await parseMessage(message.raw)
  const email = parsed === null || parsed === 'too-deep' ? unreadableEmail : parsed
  const automatic = email.headers.find((header) => header.key === 'auto-submitted')?.value
  const subject = email.subject ?? ''
  const isTest = automatic === 'auto-generated' && subject.startsWith('Test mail from ')
  if (!isTest && automatic !== undefined && automatic !== 'no') return null
  const received = withoutBrackets(email.messageId)
  const first = (email.from?.name ?? '').split(' ')[0] || 'there'
  return {
    from: { name: nameOf(address, email.to ?? []), address },
    to: [{ name: email.from?.name ?? '', address: message.from }],
    subject: /^re:/i.test(subject) ? subject : `Re: ${subject}`,
    messageId: `${newId()}@${domainOf(address)}`,
    ...(received === '' ? {} : { inReplyTo: received, references: [received] }),
    date: new Date(),
    text: answerText(first, quoted(email.text ?? '')),
    headers: isTest ? {} : { 'Auto-Submitted': 'auto-replied' },
  }
}

const answerText = (first: string, quote: string): string => `Hello ${first},

thank you, that reached me. I will have a look and come back to you tomorrow.

(Everybody in the demo answers like this: your mail was signed, queued and delivered by SMTP to the
demo's own mail server, and nothing has left your computer.)
${quote === '' ? '' : `\n${quote}\n`}`

const quoted = (text: string): string =>
  text
    .trim()
    .split('\n')
    .slice(0, 12)
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')

const withoutBrackets = (id: string | undefined): string => (id ?? '').replace(/^<|>$/g, '')

const nameOf = (address: string, to: NonNullable<Email['to']>): string => {
  const named = to.find((person) => person.address?.toLowerCase() === address.toLowerCase())?.name
  if (named && named !== address) return named
  return (address.split('@')[0] ?? '')
    .split(/[.\-_]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
}
