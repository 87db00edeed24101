/** DNS master files (RFC 1035 §5) for name servers and the import of DNS providers. Output is ASCII only. */

export type ZoneRecord = {
  /** Absolute, without a trailing dot. */
  name: string
  ttlSeconds: number
} & (
  | { type: 'TXT'; text: string }
  | { type: 'MX'; preference: number; host: string }
  | { type: 'CNAME'; host: string }
  /** `numbers`: priority, weight and port. */
  | { type: 'SRV'; numbers: readonly number[]; host: string }
)

export type ZoneEntry = {
  /** Lines above the record. */
  comments: readonly string[]
  record: ZoneRecord
  /** false: the record is written as a comment. */
  isActive: boolean
}

/** Writes names relative to `zone`. The file adds to an existing zone, so it has no SOA and NS records. */
export const zoneFile = (
  zone: string,
  header: readonly string[],
  entries: readonly ZoneEntry[],
): string =>
  [
    ...header.map(comment),
    `$ORIGIN ${escapedName(zone)}.`,
    ...entries.flatMap(({ comments, record, isActive }) => [
      '',
      ...comments.map(comment),
      `${isActive ? '' : ';'}${recordLine(record, zone)}`,
    ]),
    '',
  ].join('\n')

const recordLine = (record: ZoneRecord, zone: string): string => {
  const data = dataOf(record)
  return `${relativeName(record.name, zone)} ${record.ttlSeconds} IN ${record.type} ${data}`
}

const dataOf = (record: ZoneRecord): string => {
  switch (record.type) {
    case 'MX':
      return `${record.preference} ${escapedName(record.host)}.`
    case 'CNAME':
      return `${escapedName(record.host)}.`
    case 'SRV':
      return `${record.numbers.join(' ')} ${escapedName(record.host)}.`
    case 'TXT':
      return txtStrings(record.text).map(quoted).join(' ')
  }
}

const relativeName = (name: string, zone: string): string => {
  if (name === zone) return '@'
  return name.endsWith(`.${zone}`)
    ? escapedName(name.slice(0, -zone.length - 1))
    : `${escapedName(name)}.`
}

const MAX_STRING_BYTES = 255

/** The strings that a TXT value is split into; at least one. */
const txtStrings = (text: string): Buffer[] => {
  const bytes = Buffer.from(text)
  const count = Math.max(1, Math.ceil(bytes.length / MAX_STRING_BYTES))
  return Array.from({ length: count }, (_, at) =>
    bytes.subarray(at * MAX_STRING_BYTES, (at + 1) * MAX_STRING_BYTES),
  )
}

const quoted = (bytes: Buffer): string => `"${escaped(bytes, /["\\]/)}"`

/** Dots separate labels; every other special character is escaped. */
const escapedName = (name: string): string => escaped(Buffer.from(name), /[^a-z0-9_.*-]/i)

const escaped = (bytes: Buffer, special: RegExp): string =>
  Array.from(bytes, (byte) => {
    if (byte < 0x20 || byte > 0x7e) return `\\${String(byte).padStart(3, '0')}`
    const sign = String.fromCharCode(byte)
    return special.test(sign) ? `\\${sign}` : sign
  }).join('')

/** Always one line. */
const comment = (text: string): string => `; ${text.replace(/[^\x20-\x7e]/g, '?')}`.trimEnd()
