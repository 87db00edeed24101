/** DNS messages (RFC 1035, EDNS RFC 6891) to and from bytes. An answer that does not belong to its question is never read. */
import { type Answer, decode, encode, type Packet, RECURSION_DESIRED } from 'dns-packet'
import type { RecordType, ResourceRecord } from '../dns.ts'

export type DnsQuery = {
  id: number
  name: string
  type: RecordType
  isRecursive: boolean
  hasEdns: boolean
}

export type DnsReply = {
  /** 0 NOERROR, 1 FORMERR, 2 SERVFAIL, 3 NXDOMAIN, 4 NOTIMP, 5 REFUSED. */
  rcode: number
  isTruncated: boolean
  isAuthoritative: boolean
  answers: ResourceRecord[]
  /** The zones whose SOA came along in the authority section of a negative answer. */
  soaOwners: string[]
}

/** What fits one packet on every path (DNS flag day 2020). */
const EDNS_BYTES = 1232
const MAX_RECORDS = 500

export const encodeQuery = (query: DnsQuery): Buffer =>
  encode({
    type: 'query',
    id: query.id,
    flags: query.isRecursive ? RECURSION_DESIRED : 0,
    questions: [{ name: query.name, type: query.type, class: 'IN' }],
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

/** `foreign`: not an answer to this question, perhaps forged. `broken`: from the right server, but unreadable. */
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
  // Servers that could not read the question send it back empty.
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
  }
}

/** Lower case, without the trailing dot. */
export const plainName = (name: string): string => name.toLowerCase().replace(/\.$/, '')

/** May this be asked at all: labels of 1 to 63 bytes, 253 in all. */
export const isAskable = (name: string): boolean =>
  name.length > 0 &&
  Buffer.byteLength(name) <= 253 &&
  name.split('.').every((label) => label.length > 0 && Buffer.byteLength(label) <= 63)

/** A host name as data; the root stays '.', as in a null MX (RFC 7505). */
const host = (name: string): string => (name === '.' ? '.' : plainName(name))

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
      const parts = Array.isArray(answer.data) ? answer.data : [answer.data]
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
      return null
  }
}
