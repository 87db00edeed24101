/** Writes ENVELOPE (RFC 9051 §7.5.2). */
import type { Envelope, EnvelopeAddress } from '#server/standards/mime/structure/mail-structure.ts'
import { headerText } from './strings.ts'

export const envelopeText = (envelope: Envelope, isUtf8: boolean): string => {
  const { from, sender = from, replyTo = from } = envelope
  const text = (value: string | undefined) => headerText(value, isUtf8)
  const people = (addresses: readonly EnvelopeAddress[] | undefined) =>
    addressesText(addresses, isUtf8)
  const authors = people(from)
  const others = [sender, replyTo].map((each) => (each === from ? authors : people(each))).join(' ')
  // One template: this is written for each mail of a folder that a program opens first.
  return `(${text(envelope.date)} ${text(envelope.subject)} ${authors} ${others} ${people(envelope.to)} ${people(envelope.cc)} ${people(envelope.bcc)} ${text(envelope.inReplyTo)} ${text(envelope.messageId)})`
}

const addressesText = (
  addresses: readonly EnvelopeAddress[] | undefined,
  isUtf8: boolean,
): string => {
  if (addresses === undefined || addresses.length === 0) return 'NIL'
  let text = ''
  for (const [name, route, mailbox, host] of addresses)
    text += `(${headerText(name, isUtf8)} ${headerText(route, isUtf8)} ${headerText(mailbox, isUtf8)} ${headerText(host, isUtf8)})`
  return `(${text})`
}
