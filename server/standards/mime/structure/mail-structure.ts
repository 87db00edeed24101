/**
 * The structure of a mail as IMAP tells it (RFC 9051 §7.5.2): its MIME parts with their places in the bytes, and its envelope.
 * It is read once and kept as JSON of these types; a part, a range or a field is then a read of its bytes (decision 090).
 *
 * Texts are as they were sent, without folds: encoded words are not decoded, and raw bytes are read as UTF-8 or windows-1252. No text
 * has CR, LF or NUL.
 */

/** `[display name, route, mailbox, host]`. A group begins with `[null, null, its name, null]` and ends with four nulls. */
export type EnvelopeAddress = readonly [
  name: string | null,
  route: string | null,
  mailbox: string | null,
  host: string | null,
]

/** Absent fields are not in the mail. */
export type Envelope = {
  date?: string
  subject?: string
  /** Never empty. */
  from: EnvelopeAddress[]
  /** Absent: as `from`. */
  sender?: EnvelopeAddress[]
  /** Absent: as `from`. */
  replyTo?: EnvelopeAddress[]
  to?: EnvelopeAddress[]
  cc?: EnvelopeAddress[]
  bcc?: EnvelopeAddress[]
  inReplyTo?: string
  messageId?: string
}

/** Names and values in turns, in the order of the field. */
export type Parameters = string[]

/** Offsets in the mail: its header begins at `header`, its body at `body` and ends before `end`. */
export type Part = {
  type: string
  subtype: string
  parameters?: Parameters
  header: number
  body: number
  end: number
  /** Absent: 7bit. */
  encoding?: string
  id?: string
  description?: string
  md5?: string
  disposition?: { value: string; parameters?: Parameters }
  language?: string[]
  location?: string
  /** Of text, and of a message inside: the number of line ends in the body. */
  lines?: number
  /** Of a multipart: one or more. */
  parts?: Part[]
  /** Of message/rfc822: the header of its part is the header of the message. */
  message?: { envelope: Envelope; part: Part }
}

export type MailStructure = {
  envelope: Envelope
  part: Part
  /**
   * The usual fields of the header, in order: place in `usualFields`, offset and length of each, one after the other. Absent when
   * there are too many to note.
   */
  fields?: number[]
  /** Of a large mail: the checksums of its pieces, to read a part without the rest. */
  sums?: number[]
}

/** What mail programs ask for by name. The order is stored: new names go to the end. */
export const usualFields: readonly string[] = [
  ...['from', 'to', 'cc', 'bcc', 'reply-to', 'sender', 'subject', 'date', 'message-id'],
  ...['in-reply-to', 'references', 'content-type', 'content-transfer-encoding', 'mime-version'],
  ...['list-id', 'list-post', 'list-unsubscribe', 'list-unsubscribe-post', 'list-help'],
  ...['list-subscribe', 'list-owner', 'list-archive', 'mailing-list', 'precedence'],
  ...['x-priority', 'priority', 'importance', 'x-mailer', 'user-agent', 'auto-submitted'],
  ...[
    'delivered-to',
    'return-path',
    'received',
    'x-original-to',
    'newsgroups',
    'disposition-notification-to',
  ],
  ...[
    'content-disposition',
    'content-language',
    'authentication-results',
    'resent-from',
    'resent-date',
    'resent-to',
  ],
  ...[
    'x-spam-status',
    'x-spam-flag',
    'x-forwarded-message-id',
    'x-uniform-type-identifier',
    'x-universally-unique-identifier',
  ],
  ...[
    'x-mozilla-draft-info',
    'x-draft-info',
    'x-k9mail-identity',
    'autocrypt',
    'return-receipt-to',
  ],
]
