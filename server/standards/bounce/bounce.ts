/** A delivery status notification (RFC 3464) in a multipart/report (RFC 6522): what failed, for whom, and why. */
import MimeNode from 'nodemailer/lib/mime-node'
import { mailDate } from '../message-headers.ts'
import { bodyStartOf, headerLinesOf, withCrlf } from '../message-lines.ts'

export type FailedDelivery = {
  mailHost: string
  /** Whose message it was. */
  sender: string
  recipient: string
  /** What the other side said last, or what kept us from asking. */
  reply: string
  /** The other side said it. */
  isAnswer: boolean
  /** The host that was asked last, '' when none was. */
  remoteHost: string
  /** It was asked to wait until the time was over. */
  isExpired: boolean
  queuedAt: Date
  at: Date
  messageId: string
  original: Buffer
}

export const writeBounce = async (failed: FailedDelivery): Promise<Buffer> => {
  const { mailHost, sender, recipient, at, original } = failed
  const answers = messageIdOf(original)
  const report = new MimeNode('multipart/report; report-type=delivery-status', { newline: 'win' })
  report.setHeader({
    from: { name: 'Mail delivery', address: `postmaster@${mailHost}` },
    to: sender,
    subject: `Not delivered to ${recipient}`,
    date: at,
    'message-id': `<${failed.messageId}>`,
    'auto-submitted': 'auto-replied',
    ...(answers !== null && { 'in-reply-to': answers, references: answers }),
  })
  report.createChild('text/plain; charset=utf-8').setContent(inWords(failed))
  report.createChild('message/delivery-status').setContent(inFields(failed))
  const header = original.subarray(0, bodyStartOf(original))
  // Bytes would be encoded; text is left to be read as it stands.
  const isAscii = header.every((byte) => byte < 128)
  report.createChild('text/rfc822-headers').setContent(isAscii ? header.toString('latin1') : header)
  return withCrlf(await report.build())
}

const inWords = ({ recipient, reply, isAnswer, remoteHost, isExpired }: FailedDelivery): string => {
  const said = oneLine(reply)
  const source = isAnswer && remoteHost !== '' ? `${oneLine(remoteHost)} said` : 'The reason'
  return [
    `Your message could not be delivered to ${recipient}.`,
    '',
    bounceReason(statusOf(said), isExpired),
    said === '' ? 'The other side gave no reason.' : `${source}: ${said}`,
    '',
    'It will not be tried again. The header of your message is attached.',
    '',
  ].join('\r\n')
}

const reasons: readonly [status: RegExp, words: string][] = [
  [/^5\.1\.(0|1|3|6)$/, 'There is no such mailbox there. Please look at the address again.'],
  [/^5\.1\.2$/, 'There is no such domain. Please look at the part of the address after the @.'],
  [/^5\.1\.10$/, 'That domain takes no mail at all.'],
  [/^5\.2\.1$/, 'That mailbox takes no mail at the moment.'],
  [/^5\.2\.2$/, 'That mailbox is full.'],
  [/^5\.(2\.3|3\.4)$/, 'The message is larger than the other side takes.'],
  [/^5\.4\.4$/, 'The mail server of that domain has no address that mail can be sent to.'],
  [/^5\.4\.6$/, 'The other side sends mail for that address round in a circle.'],
  [
    /^5\.6\.7$/,
    'That mail server takes no addresses with letters beyond ASCII, and one is among yours.',
  ],
  [/^5\.7\./, 'The other side refused it by a rule of its own, often against unwanted mail.'],
]

/** An enhanced status code (RFC 3463) as a sentence for whoever wrote the mail. */
export const bounceReason = (status: string, isExpired: boolean): string => {
  if (isExpired) return 'It was tried again and again for five days, and could not be delivered.'
  const found = reasons.find(([pattern]) => pattern.test(status))
  return found?.[1] ?? 'The other side refused it for good.'
}

/** Of the message first, then of the recipient (RFC 3464 §2.2 and §2.3). In ASCII, whatever others say. */
const inFields = (failed: FailedDelivery): string => {
  const { mailHost, recipient, reply, isAnswer, remoteHost, queuedAt, at } = failed
  const said = inAscii(oneLine(reply))
  return [
    `Reporting-MTA: dns; ${mailHost}`,
    `Arrival-Date: ${mailDate(queuedAt)}`,
    '',
    `Final-Recipient: ${addressField(recipient)}`,
    'Action: failed',
    `Status: ${statusOf(said)}`,
    ...(remoteHost === '' ? [] : [`Remote-MTA: dns; ${inAscii(oneLine(remoteHost))}`]),
    ...(said === '' ? [] : [`Diagnostic-Code: ${isAnswer ? 'smtp' : 'x-mailstead'}; ${said}`]),
    `Last-Attempt-Date: ${mailDate(at)}`,
    '',
  ].join('\r\n')
}

/** RFC 3463: the enhanced code of the reply, else one that fits its class. */
const statusOf = (reply: string): string => {
  const enhanced = /^[45]\d\d[ -]([45]\.\d{1,3}\.\d{1,3})\b/.exec(reply)?.[1]
  // A temporary reply that outlived five days: delivery time expired.
  if (enhanced?.startsWith('5')) return enhanced
  return /^5\d\d\b/.test(reply) ? '5.0.0' : '5.4.7'
}

/** So that it stands beside the message in the list of conversations. */
const messageIdOf = (original: Buffer): string | null => {
  const field = headerLinesOf(original).find(({ name }) => name === 'message-id')
  return /^[^:]*:\s*(<[\x21-\x3b\x3d\x3f-\x7e]{1,250}>)\s*$/.exec(field?.line ?? '')?.[1] ?? null
}

/** RFC 6533 §3: letters beyond ASCII by their numbers. */
const addressField = (address: string): string => {
  const ascii = address.replace(
    /[^\x20-\x7e]/gu,
    (letter) => `\\x{${letter.codePointAt(0)?.toString(16).toUpperCase()}}`,
  )
  return `${ascii === address ? 'rfc822' : 'utf-8'}; ${ascii}`
}

const inAscii = (text: string): string => text.replace(/[^\x20-\x7e]+/g, '?')

const oneLine = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to drop
    .replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
    .trim()
    .slice(0, 900)
