/** A delivery status notification (RFC 3464) in a multipart/report (RFC 6522): what failed, for whom, and why. */
import MimeNode from 'nodemailer/lib/mime-node'
import { bodyStartOf, withCrlf } from './message-lines.ts'
import { mailDate } from './received-header.ts'

export type FailedDelivery = {
  mailHost: string
  /** Whose message it was. */
  sender: string
  recipient: string
  /** What the other side said last, or what kept us from asking. */
  reply: string
  /** The host that said it, '' when none did. */
  remoteHost: string
  queuedAt: Date
  at: Date
  messageId: string
  original: Buffer
}

export const writeBounce = async (failed: FailedDelivery): Promise<Buffer> => {
  const { mailHost, sender, recipient, at } = failed
  const reply = oneLine(failed.reply)
  const report = new MimeNode('multipart/report; report-type=delivery-status', { newline: 'win' })
  report.setHeader({
    from: { name: 'Mail delivery', address: `postmaster@${mailHost}` },
    to: sender,
    subject: `Not delivered to ${recipient}`,
    date: at,
    'message-id': `<${failed.messageId}>`,
    'auto-submitted': 'auto-replied',
  })
  report
    .createChild('text/plain; charset=utf-8')
    .setContent(
      [
        `Your message could not be delivered to ${recipient}.`,
        '',
        reply === '' ? 'The other side gave no reason.' : `The reason given: ${reply}`,
        '',
        'It will not be tried again. Its first lines are attached.',
        '',
      ].join('\r\n'),
    )
  report
    .createChild('message/delivery-status')
    .setContent(
      [
        `Reporting-MTA: dns; ${mailHost}`,
        `Arrival-Date: ${mailDate(failed.queuedAt)}`,
        '',
        `Final-Recipient: rfc822; ${recipient}`,
        'Action: failed',
        `Status: ${statusOf(reply)}`,
        ...(failed.remoteHost === '' ? [] : [`Remote-MTA: dns; ${oneLine(failed.remoteHost)}`]),
        ...(/^[245]\d\d/.test(reply) ? [`Diagnostic-Code: smtp; ${reply}`] : []),
        `Last-Attempt-Date: ${mailDate(at)}`,
        '',
      ].join('\r\n'),
    )
  report
    .createChild('text/rfc822-headers')
    .setContent(failed.original.subarray(0, bodyStartOf(failed.original)))
  return withCrlf(await report.build())
}

/** RFC 3463: the enhanced code of the reply, else one that fits its class. */
const statusOf = (reply: string): string => {
  const enhanced = /^[45]\d\d[ -]([45]\.\d{1,3}\.\d{1,3})\b/.exec(reply)?.[1]
  // A temporary reply that outlived five days: delivery time expired.
  if (enhanced?.startsWith('5')) return enhanced
  return reply.startsWith('5') ? '5.0.0' : '5.4.7'
}

const oneLine = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to drop
    .replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
    .trim()
    .slice(0, 900)
