/**
 * A Dns that reads the zones directly, without sockets: for trials with thousands of look-ups. `isTroubled` makes all of them
 * fail.
 */
import type { Answer } from 'dns-packet'
import type {
  Dns,
  DnsAnswer,
  RecordType,
  ResourceRecord,
  ServerAnswer,
} from '#server/lib/dns/dns.ts'
import { DnsZones } from './dns-zones.ts'

export type ZonesDns = Dns & {
  zones: DnsZones
  /** Every server answers SERVFAIL. */
  isTroubled: boolean
}

export const zonesDns = (): ZonesDns => {
  const zones = new DnsZones()
  const found = (name: string, type: RecordType) => {
    const { rcode, answers } = zones.answer({ name, type: type as 'TXT', class: 'IN' })
    const records = answers.filter((answer) => answer.type === type).map(toRecord)
    return { rcode, records }
  }
  const lookUp = async (name: string, type: RecordType): Promise<DnsAnswer> => {
    if (dns.isTroubled) return { outcome: 'failed', reason: 'SERVFAIL', servers: [] }
    const { rcode, records } = found(name, type)
    return records.length > 0
      ? { outcome: 'found', records, chain: [], servers: [] }
      : { outcome: 'none', isNxdomain: rcode === 'NXDOMAIN', chain: [], servers: [] }
  }
  const answer = (name: string, type: RecordType, host: string): ServerAnswer => {
    const { rcode, records } = dns.isTroubled
      ? { rcode: 'SERVFAIL', records: [] }
      : found(name, type)
    return {
      server: '192.0.2.53',
      host,
      outcome: dns.isTroubled ? 'unknown' : records.length > 0 ? 'found' : 'none',
      fault: dns.isTroubled ? 'servfail' : null,
      reason: dns.isTroubled ? 'SERVFAIL' : '',
      rcode,
      isAuthoritative: host !== '',
      latencyMs: 1,
      records,
      chain: [],
      ttlSeconds: 300,
    }
  }
  const dns: ZonesDns = {
    zones,
    isTroubled: false,
    lookUp,
    lookUpAtSource: lookUp,
    observe: async (name, type) => ({
      name,
      type,
      zone: name.split('.').slice(-2).join('.'),
      authorities: [answer(name, type, 'ns1.zones.test')],
      resolvers: [answer(name, type, '')],
    }),
    resolve: async () => {
      throw Object.assign(new Error('not asked in these trials'), { code: 'ENODATA' })
    },
  }
  return dns
}

const toRecord = (answer: Answer): ResourceRecord => {
  const { name, type, data } = answer as { name: string; type: RecordType; data: unknown }
  const record = { name, type, ttlSeconds: 300 }
  if (type === 'TXT') {
    const strings = (data as Buffer[]).map(String)
    return { ...record, data: strings.join(''), strings }
  }
  if (type === 'MX') {
    const { preference, exchange } = data as { preference: number; exchange: string }
    return { ...record, data: exchange, preference }
  }
  return { ...record, data: String(data) }
}
