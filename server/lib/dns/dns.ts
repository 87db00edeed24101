/** What the program asks of DNS. Every look-up goes through DNS_SERVERS or to a name server found through them. */

export type RecordType =
  | 'A'
  | 'AAAA'
  | 'TXT'
  | 'MX'
  | 'CNAME'
  | 'NS'
  | 'SOA'
  | 'SRV'
  | 'PTR'
  | 'TLSA'
  /** Type 99, dead since RFC 7208; people still find it in the menus of providers. */
  | 'SPF'

/** One resource record; `data` as text: TXT strings joined, MX without its preference. */
export type ResourceRecord = {
  name: string
  type: RecordType
  ttlSeconds: number
  data: string
  /** MX only. */
  preference?: number
  /** TXT only: the strings before joining. */
  strings?: string[]
}

/**
 * `none` is a definite "not there": NXDOMAIN or no record of that type.
 * `failed` says nothing about the record: SERVFAIL, REFUSED, timeout, a broken answer.
 */
export type DnsAnswer =
  | { outcome: 'found'; records: ResourceRecord[]; chain: string[]; servers: string[] }
  | { outcome: 'none'; isNxdomain: boolean; chain?: string[]; servers: string[] }
  | { outcome: 'failed'; reason: string; servers: string[] }

/** Why a server's answer says nothing about the record. */
export type DnsFault =
  | 'timeout'
  | 'unreachable'
  | 'garbled'
  | 'servfail'
  | 'refused'
  | 'error'
  /** Named as a name server of the zone, but answers without authority. */
  | 'lame'
  /** The resolver refuses the answer because its DNSSEC signatures are wrong. */
  | 'bogus'
  /** The name server's own name has no address. */
  | 'no-address'

/** What one server says about one name and type. */
export type ServerAnswer = {
  /** `ip`, or `ip:port` where the port is not 53; '' when its address is not known. */
  server: string
  /** The name of a name server; '' of a resolver. */
  host: string
  /** `unknown` says nothing about the record. */
  outcome: 'found' | 'none' | 'unknown'
  /** null unless `unknown`. */
  fault: DnsFault | null
  /** Why it is unknown, in words; '' otherwise. */
  reason: string
  /** NOERROR, NXDOMAIN, SERVFAIL ...; '' when nothing readable arrived. */
  rcode: string
  isAuthoritative: boolean
  latencyMs: number
  records: ResourceRecord[]
  /** The aliases (CNAME) passed on the way. */
  chain: string[]
  /** How long this server may go on saying so: of a resolver the seconds left in its cache. */
  ttlSeconds: number
}

/** Every name server of the zone and every resolver, side by side: 'published?' and 'visible?'. */
export type Observation = {
  name: string
  type: RecordType
  /** The zone that the name is in; null when none was found. */
  zone: string | null
  authorities: ServerAnswer[]
  resolvers: ServerAnswer[]
}

/** What one check has already asked about delegations. Made for one check and dropped with it: people must see changes at once. */
export type LookUpMemo = Map<string, Promise<unknown>>

export type Dns = {
  /** Through DNS_SERVERS, following CNAMEs; `chain` lists the names passed. */
  lookUp(name: string, type: RecordType): Promise<DnsAnswer>
  /** At the zone's own name servers first, then through DNS_SERVERS when none of them answers. */
  lookUpAtSource(name: string, type: RecordType, memo?: LookUpMemo): Promise<DnsAnswer>
  /** What each name server of the zone and each of DNS_SERVERS says, all asked at once. Never throws. */
  observe(name: string, type: RecordType, memo?: LookUpMemo): Promise<Observation>
  /**
   * The shape of `dns.promises.resolve` (what mailauth and nodemailer take): throws with `code`
   * ENOTFOUND, ENODATA, ESERVFAIL or ETIMEOUT.
   */
  resolve(name: string, type: string): Promise<unknown[]>
}
