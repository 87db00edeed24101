/** A delivery status notification (RFC 3464) in a multipart/report (RFC 6522): the failed recipient and the reason. */

import MimeNode from 'nodemailer/lib/mime-node'
import { inAscii, oneLine } from '#server/lib/plain-text.ts'
import { mailDate } from '../message-headers.ts'
import { bodyStartOf, headerLinesOf, withCrlf } from '../message-lines.ts'

export type FailedDelivery = {
  mailHost: string
  /** The sender of the failed message: the bounce goes to this address. */
  sender: string
  recipient: string
  /** The last reply of the remote host, or the local error that prevented the delivery. */
  reply: string
  /** true: `reply` is from the remote host. */
  isAnswer: boolean
  /** The last host that was tried; '' when none was. */
  remoteHost: string
  /** true: the delivery was deferred until its time ran out. */
  isExpired: boolean
  queuedAt: Date
  at: Date
  messageId: string
  original: Buffer
}

const MAX_REPLY = 900

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
  // Bytes would be encoded; a string stays readable as it is.
  const isAscii = header.every((byte) => byte < 128)
  report.createChild('text/rfc822-headers').setContent(isAscii ? header.toString('latin1') : header)
  return withCrlf(await report.build())
}

const inWords = ({ recipient, reply, isAnswer, remoteHost, isExpired }: FailedDelivery): string => {
  const said = oneLine(reply, MAX_REPLY)
  const source =
    isAnswer && remoteHost !== '' ? `${oneLine(remoteHost, MAX_REPLY)} said` : 'The reason'
  return [
    `Your message could not be delivered to ${recipient}.`,
    '',
    reasonOf(said, isExpired),
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

/** Explains the last reply about a message that was not delivered, to its sender. */
export const reasonOf = (reply: string, isExpired: boolean): string =>
  bounceReason(statusOf(reply), isExpired)

/** Explains an enhanced status code (RFC 3463) to the sender in one sentence. */
export const bounceReason = (status: string, isExpired: boolean): string => {
  if (isExpired) return 'It was tried again and again for five days, and could not be delivered.'
  const found = reasons.find(([pattern]) => pattern.test(status))
  return found?.[1] ?? 'The other side refused it for good.'
}

/** Per-message fields first, then per-recipient fields (RFC 3464 §2.2 and §2.3). ASCII only, whatever the reply contains. */
const inFields = (failed: FailedDelivery): string => {
  const { mailHost, recipient, reply, isAnswer, remoteHost, queuedAt, at } = failed
  const said = inAscii(oneLine(reply, MAX_REPLY))
  return [
    `Reporting-MTA: dns; ${mailHost}`,
    `Arrival-Date: ${mailDate(queuedAt)}`,
    '',
    `Final-Recipient: ${addressField(recipient)}`,
    'Action: failed',
    `Status: ${statusOf(said)}`,
    ...(remoteHost === '' ? [] : [`Remote-MTA: dns; ${inAscii(oneLine(remoteHost, MAX_REPLY))}`]),
    ...(said === '' ? [] : [`Diagnostic-Code: ${isAnswer ? 'smtp' : 'x-mailstead'}; ${said}`]),
    `Last-Attempt-Date: ${mailDate(at)}`,
    '',
  ].join('\r\n')
}

/** RFC 3463: the enhanced code of the reply; otherwise a code that fits the reply's class. */
const statusOf = (reply: string): string => {
  const enhanced = /^[45]\d\d[ -]([45]\.\d{1,3}\.\d{1,3})\b/.exec(reply)?.[1]
  // A temporary reply after five days means: delivery time expired.
  if (enhanced?.startsWith('5')) return enhanced
  return /^5\d\d\b/.test(reply) ? '5.0.0' : '5.4.7'
}

/** Lets the bounce appear in the conversation of the failed message. */
const messageIdOf = (original: Buffer): string | null => {
  const field = headerLinesOf(original).find(({ name }) => name === 'message-id')
  return /^[^:]*:\s*(<[\x21-\x3b\x3d\x3f-\x7e]{1,250}>)\s*$/.exec(field?.line ?? '')?.[1] ?? null
}

/** RFC 6533 §3: escapes non-ASCII letters by their code points. */
const addressField = (address: string): string => {
  const ascii = address.replace(
    /[^\x20-\x7e]/gu,
    (letter) => `\\x{${letter.codePointAt(0)?.toString(16).toUpperCase()}}`,
  )
  return `${ascii === address ? 'rfc822' : 'utf-8'}; ${ascii}`
}
