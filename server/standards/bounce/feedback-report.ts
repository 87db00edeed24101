/** Complaints that mail providers pass on: feedback reports (ARF, RFC 5965) about mail that went out from here. */
import { oneLine } from '#server/lib/plain-text.ts'
import { parseRecipient } from '../address.ts'
import { type HeaderLine, headerLinesOf } from '../message-lines.ts'
import type { MailStructure, Part } from '../mime/structure/mail-structure.ts'

export type FeedbackReport = {
  /** Lower case: abuse, fraud, virus, not-spam, auth-failure, other ... */
  type: string
  /** Who complained, where it is told: many providers hide it. '' else. */
  recipient: string
  /** Of the mail that the complaint is about, as far as the report has it. */
  original: {
    /** Without brackets; '' when missing. */
    messageId: string
    /** Its reverse path and its From, lower case; each at most once. */
    senders: string[]
    /** The domains that signed it by DKIM, lower case. */
    signers: string[]
  }
}

/** Types that are no complaint: a mail that was taken for junk by mistake, and one that failed authentication (RFC 6591). */
const noComplaint = new Set(['not-spam', 'auth-failure', 'dmarc', 'dkim'])

export const isComplaint = ({ type }: FeedbackReport): boolean => !noComplaint.has(type)

/** Enough for the header of any mail; a report may quote a mail of 25 MB. */
const MAX_HEADER_BYTES = 64_000
const MAX_SIGNERS = 10

/** null: no feedback report. `structure` is of `raw`. Takes time for the headers alone. */
export const readFeedbackReport = (
  raw: Buffer,
  { part }: Pick<MailStructure, 'part'>,
): FeedbackReport | null => {
  if (!isType(part, 'multipart', 'report')) return null
  if (parameterOf(part, 'report-type') !== 'feedback-report') return null
  const report = part.parts?.find((each) => isType(each, 'message', 'feedback-report'))
  if (report === undefined) return null
  const fields = fieldsAt(raw, report)
  const type = fieldValue(fields, 'feedback-type').toLowerCase()
  if (type === '') return null
  const original = originalFields(raw, part.parts ?? [])
  const senders = [fieldValue(fields, 'original-mail-from'), fieldValue(original, 'from')]
  return {
    type: oneLine(type, 40),
    recipient: addressIn(fieldValue(fields, 'original-rcpt-to')) ?? '',
    original: {
      messageId:
        /<([\x21-\x3b\x3d\x3f-\x7e]{1,250})>/.exec(fieldValue(original, 'message-id'))?.[1] ?? '',
      senders: [...new Set(senders.flatMap((text) => addressIn(text) ?? []))],
      signers: signersOf(original),
    },
  }
}

const isType = ({ type, subtype }: Part, wanted: string, wantedSubtype: string): boolean =>
  type.toLowerCase() === wanted && subtype.toLowerCase() === wantedSubtype

const parameterOf = ({ parameters = [] }: Part, wanted: string): string => {
  const at = parameters.findIndex((name, n) => n % 2 === 0 && name.toLowerCase() === wanted)
  return at === -1 ? '' : (parameters[at + 1] ?? '').toLowerCase()
}

/** A whole mail, or its header alone. */
const originalFields = (raw: Buffer, parts: readonly Part[]): HeaderLine[] => {
  const part = parts.find(
    (each) => isType(each, 'message', 'rfc822') || isType(each, 'text', 'rfc822-headers'),
  )
  return part === undefined ? [] : fieldsAt(raw, part)
}

const fieldsAt = (raw: Buffer, { body, end }: Part): HeaderLine[] => {
  const bytes = raw.subarray(body, Math.min(end, body + MAX_HEADER_BYTES))
  let start = 0
  while (bytes[start] === 0x0d && bytes[start + 1] === 0x0a) start += 2
  return headerLinesOf(bytes.subarray(start))
}

const fieldValue = (fields: readonly HeaderLine[], wanted: string): string => {
  const line = fields.find(({ name }) => name === wanted)?.line ?? ''
  return line.slice(line.indexOf(':') + 1).trim()
}

/** '<a@b.example>', 'Name <a@b.example>' or the address alone. */
const addressIn = (text: string): string | undefined => {
  const bracketed = /<([^<>]{3,254})>\s*$/.exec(text.slice(-1_000))?.[1]
  return parseRecipient((bracketed ?? text).trim())?.address.toLowerCase()
}

const signersOf = (fields: readonly HeaderLine[]): string[] => {
  const signatures = fields.filter(({ name }) => name === 'dkim-signature').slice(0, MAX_SIGNERS)
  const names = signatures.flatMap(
    ({ line }) =>
      /[;:\s]d\s{0,10}=\s{0,10}([a-z0-9.-]{1,253})\s{0,10}(?:;|$)/i.exec(line)?.[1] ?? [],
  )
  return [...new Set(names.map((name) => name.toLowerCase()))]
}
