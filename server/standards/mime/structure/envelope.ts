/** The envelope of a message: ten fields of its header (RFC 9051 §7.5.2). */
import { envelopeAddresses, missingAddress } from './envelope-addresses.ts'
import { type HeaderField, textOfField } from './header-block.ts'
import type { Envelope, EnvelopeAddress } from './mail-structure.ts'
import type { Room } from './room.ts'

const texts = {
  date: 'date',
  subject: 'subject',
  'in-reply-to': 'inReplyTo',
  'message-id': 'messageId',
} as const
const people = {
  from: 'from',
  sender: 'sender',
  'reply-to': 'replyTo',
  to: 'to',
  cc: 'cc',
  bcc: 'bcc',
} as const

/** Usual mail has five; each may be long. */
const MOST_PEOPLE_FIELDS = 50

/** Of two fields with one name the first counts; the recipients of all of them do. */
export const envelopeOf = (bytes: Buffer, fields: readonly HeaderField[], room: Room): Envelope => {
  const envelope: Envelope = { from: [] }
  let peopleFields = 0
  for (const field of fields) {
    if (field.name in texts) {
      const key = texts[field.name as keyof typeof texts]
      envelope[key] ??= room.text(textOfField(bytes, field))
    } else if (field.name in people && ++peopleFields <= MOST_PEOPLE_FIELDS) {
      const key = people[field.name as keyof typeof people]
      envelope[key] = [...(envelope[key] ?? []), ...addressesOf(bytes, field, room)]
    }
  }
  return complete(envelope)
}

const addressesOf = (bytes: Buffer, field: HeaderField, room: Room): EnvelopeAddress[] => {
  const all = envelopeAddresses(textOfField(bytes, field))
  const kept: EnvelopeAddress[] = []
  let isInGroup = false
  for (const address of all) {
    if (!room.holdsAddress(address)) break
    kept.push(address)
    if (address[3] === null) isInGroup = address[2] !== null
  }
  return isInGroup && kept.length < all.length ? [...kept, [null, null, null, null]] : kept
}

/** Mail programs break where nobody is the author (RFC 9051: `from` cannot be nil). */
const complete = (envelope: Envelope): Envelope => {
  for (const key of Object.values(people))
    if (key !== 'from' && envelope[key]?.length === 0) delete envelope[key]
  if (envelope.from.length === 0) envelope.from = envelope.sender ?? [missingAddress]
  return envelope
}
