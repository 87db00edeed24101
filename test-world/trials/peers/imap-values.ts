/** A structure as the values that IMAP prints (RFC 9051 §7.5.2), to compare it with what another server says. */
import type {
  Envelope,
  EnvelopeAddress,
  MailStructure,
  Parameters,
  Part,
} from '#server/standards/mime/structure/mail-structure.ts'
import type { ImapValue, Told } from './dovecot.ts'

export const toldByUs = ({ envelope, part }: MailStructure): Told => ({
  envelope: envelopeValues(envelope),
  structure: partValues(part),
})

const envelopeValues = (e: Envelope): ImapValue[] => [
  ...[e.date ?? null, e.subject ?? null],
  ...[people(e.from), people(e.sender ?? e.from), people(e.replyTo ?? e.from)],
  ...[people(e.to), people(e.cc), people(e.bcc), e.inReplyTo ?? null, e.messageId ?? null],
]

const people = (addresses: readonly EnvelopeAddress[] | undefined): ImapValue =>
  addresses?.map((address) => [...address]) ?? null

const partValues = (part: Part): ImapValue[] => {
  const { parts, message, lines } = part
  const rest = [
    dispositionValue(part),
    part.language === undefined ? null : [...part.language],
    part.location ?? null,
  ]
  if (parts !== undefined)
    return [...parts.map(partValues), part.subtype, parametersValue(part.parameters), ...rest]
  return [
    ...[part.type, part.subtype, parametersValue(part.parameters), part.id ?? null],
    ...[part.description ?? null, part.encoding ?? '7bit', String(part.end - part.body)],
    ...(message === undefined ? [] : [envelopeValues(message.envelope), partValues(message.part)]),
    ...(lines === undefined ? [] : [String(lines)]),
    ...[part.md5 ?? null, ...rest],
  ]
}

const parametersValue = (parameters: Parameters | undefined): ImapValue =>
  parameters === undefined ? null : [...parameters]

const dispositionValue = ({ disposition }: Part): ImapValue =>
  disposition === undefined ? null : [disposition.value, parametersValue(disposition.parameters)]
