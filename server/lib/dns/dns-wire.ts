/** Encodes and decodes DNS messages (RFC 1035, EDNS RFC 6891). A message that does not match the query is rejected. */
import {
  type Answer,
  CHECKING_DISABLED,
  decode,
  encode,
  type Packet,
  type Question,
  RECURSION_DESIRED,
} from 'dns-packet'
import { printable } from '../plain-text.ts'
import type { RecordType, ResourceRecord } from './dns.ts'

/** Longer than any real key or policy; longer texts are hostile and slow to parse. */
const MAX_TEXT_BYTES = 4_096

export type DnsQuery = {
  id: number
  name: string
  type: RecordType
  isRecursive: boolean
  hasEdns: boolean
  /** Sets CD: the resolver answers even if DNSSEC validation fails. */
  isUnchecked?: boolean
}

export type DnsReply = {
  /** 0 NOERROR, 1 FORMERR, 2 SERVFAIL, 3 NXDOMAIN, 4 NOTIMP, 5 REFUSED. */
  rcode: number
  isTruncated: boolean
  isAuthoritative: boolean
  answers: ResourceRecord[]
  /** The owner names of SOA records in the authority section of a negative answer. */
  soaOwners: string[]
  /** How long a negative answer may be cached (RFC 2308 §5). */
  negativeTtlSeconds: number
  /** NS records of the authority section: the servers to query instead. */
  referrals: ResourceRecord[]
  /** Addresses in the additional section. */
  glue: ResourceRecord[]
}

/** The size that passes every network path unfragmented (DNS flag day 2020). */
const EDNS_BYTES = 1232
const MAX_RECORDS = 500
/** For a negative answer without SOA, and the limit of resolvers (RFC 2308 §5). */
const MAX_NEGATIVE_SECONDS = 10_800

export const encodeQuery = (query: DnsQuery): Buffer =>
  encode({
    type: 'query',
    id: query.id,
    flags:
      (query.isRecursive ? RECURSION_DESIRED : 0) | (query.isUnchecked ? CHECKING_DISABLED : 0),
    // The package has no name for type 99, but accepts it as a string.
    questions: [{ name: query.name, type: query.type as Question['type'], class: 'IN' }],
    additionals: query.hasEdns ? [edns] : [],
  })

const edns: Answer = {
  type: 'OPT',
  name: '.',
  udpPayloadSize: EDNS_BYTES,
  extendedRcode: 0,
  ednsVersion: 0,
  flags: 0,
  flag_do: false,
  options: [],
}

/** `foreign`: not an answer to this query, possibly forged. `broken`: from the right server, but not decodable. */
export const decodeReply = (bytes: Buffer, query: DnsQuery): DnsReply | 'foreign' | 'broken' => {
  if (bytes.length < 12 || bytes.readUInt16BE(0) !== query.id) return 'foreign'
  const records = bytes.readUInt16BE(6) + bytes.readUInt16BE(8) + bytes.readUInt16BE(10)
  if (bytes.readUInt16BE(4) > 1 || records > MAX_RECORDS) return 'broken'
  let packet: Packet & { flag_qr: boolean; flag_tc: boolean; flag_aa: boolean }
  try {
    packet = decode(bytes)
  } catch {
    return 'broken'
  }
  const rcode = (packet.flags ?? 0) & 15
  const question = packet.questions?.[0]
  // A server that could not parse the query may leave the question out.
  if (!packet.flag_qr || (!question && rcode === 0)) return 'foreign'
  if (question && (plainName(question.name) !== query.name || question.type !== query.type))
    return 'foreign'
  return {
    rcode,
    isTruncated: packet.flag_tc,
    isAuthoritative: packet.flag_aa,
    answers: (packet.answers ?? []).flatMap((answer) => readRecord(answer) ?? []),
    soaOwners: (packet.authorities ?? []).flatMap((record) =>
      record.type === 'SOA' ? [plainName(record.name)] : [],
    ),
    negativeTtlSeconds: Math.min(
      ...(packet.authorities ?? []).flatMap((record) =>
        record.type === 'SOA' ? [record.ttl ?? 0, record.data.minimum ?? 0] : [],
      ),
      MAX_NEGATIVE_SECONDS,
    ),
    referrals: recordsOfType(packet.authorities, ['NS']),
    glue: recordsOfType(packet.additionals, ['A', 'AAAA']),
  }
}

/** Lower case, without the trailing dot and without control characters: names are stored and shown. */
export const plainName = (name: string): string => printable(name.toLowerCase().replace(/\.$/, ''))

/** Whether the name is valid in DNS: labels of 1 to 63 bytes, 253 in all. */
export const isAskable = (name: string): boolean =>
  name.length > 0 &&
  Buffer.byteLength(name) <= 253 &&
  name.split('.').every((label) => label.length > 0 && Buffer.byteLength(label) <= 63)

/** A host name in record data; the root stays '.', as in a null MX (RFC 7505). */
const host = (name: string): string => (name === '.' ? '.' : plainName(name))

const recordsOfType = (section: Answer[] | undefined, types: RecordType[]): ResourceRecord[] =>
  (section ?? []).flatMap((answer) => {
    const record = readRecord(answer)
    return record && types.includes(record.type) ? [record] : []
  })

const readRecord = (answer: Answer): ResourceRecord | null => {
  if (answer.type === 'OPT' || !('data' in answer)) return null
  if ('class' in answer && answer.class !== undefined && answer.class !== 'IN') return null
  const of = (type: RecordType, data: string) => ({
    name: plainName(answer.name),
    type,
    ttlSeconds: 'ttl' in answer ? (answer.ttl ?? 0) : 0,
    data,
  })
  switch (answer.type) {
    case 'A':
    case 'AAAA':
      return of(answer.type, answer.data)
    case 'CNAME':
    case 'NS':
    case 'PTR':
      return of(answer.type, host(answer.data))
    case 'MX':
      return { ...of('MX', host(answer.data.exchange)), preference: answer.data.preference ?? 0 }
    case 'TXT': {
      const parts = ofUse(Array.isArray(answer.data) ? answer.data : [answer.data])
      const strings = parts.map((part) => part.toString())
      return {
        ...of('TXT', Buffer.concat(parts.map((part) => Buffer.from(part))).toString()),
        strings,
      }
    }
    case 'SRV': {
      const { priority = 0, weight = 0, port, target } = answer.data
      return of('SRV', `${priority} ${weight} ${port} ${host(target)}`)
    }
    case 'SOA': {
      const d = answer.data
      const times = [d.serial, d.refresh, d.retry, d.expire, d.minimum].map((n) => n ?? 0)
      return of('SOA', [host(d.mname), host(d.rname), ...times].join(' '))
    }
    case 'TLSA': {
      const { usage, selector, matchingType, certificate } = answer.data
      return of('TLSA', `${usage} ${selector} ${matchingType} ${certificate.toString('hex')}`)
    }
    default:
      return readDeadSpf(answer, of)
  }
}

/** The strings of a TXT record up to MAX_TEXT_BYTES. */
const ofUse = <T extends string | Buffer>(parts: readonly T[]): T[] => {
  let bytes = 0
  return parts.filter((part) => {
    bytes += part.length
    return bytes <= MAX_TEXT_BYTES
  })
}

/** Type 99 has the format of TXT; the package returns its raw bytes. */
const readDeadSpf = (
  answer: Answer,
  of: (type: RecordType, data: string) => ResourceRecord,
): ResourceRecord | null => {
  if (String(answer.type) !== 'SPF' || !('data' in answer) || !Buffer.isBuffer(answer.data))
    return null
  const strings: string[] = []
  const length = Math.min(answer.data.length, MAX_TEXT_BYTES)
  for (let at = 0; at < length; at += 1 + (answer.data[at] ?? 0))
    strings.push(answer.data.subarray(at + 1, at + 1 + (answer.data[at] ?? 0)).toString())
  return { ...of('SPF', strings.join('')), strings }
}
