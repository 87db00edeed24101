/** The DNS interface of the program. Every look-up goes through DNS_SERVERS or to a name server found through them. */

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
  /** Type 99, obsolete since RFC 7208, but still offered by some DNS providers. */
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

/** `none` is definite: NXDOMAIN, or no record of that type. `failed` is not: SERVFAIL, REFUSED, timeout, a broken answer. */
export type DnsAnswer =
  | { outcome: 'found'; records: ResourceRecord[]; chain: string[]; servers: string[] }
  | { outcome: 'none'; isNxdomain: boolean; chain?: string[]; servers: string[] }
  | { outcome: 'failed'; reason: string; servers: string[] }

/** Why a server's answer is not definite. */
export type DnsFault =
  | 'timeout'
  | 'unreachable'
  | 'garbled'
  | 'servfail'
  | 'refused'
  | 'error'
  /** Listed as a name server of the zone, but answers without authority. */
  | 'lame'
  /** The resolver rejects the answer: its DNSSEC signatures are wrong. */
  | 'bogus'
  /** The host name of the name server has no address. */
  | 'no-address'

/** One server's answer for one name and type. */
export type ServerAnswer = {
  /** `ip`, or `ip:port` when the port is not 53; '' when the address is not known. */
  server: string
  /** The host name of a name server; '' for a resolver. */
  host: string
  /** `unknown`: the answer is not definite. */
  outcome: 'found' | 'none' | 'unknown'
  /** null unless the outcome is `unknown`. */
  fault: DnsFault | null
  /** Why the outcome is unknown, in words; '' otherwise. */
  reason: string
  /** NOERROR, NXDOMAIN, SERVFAIL ...; '' without a readable answer. */
  rcode: string
  isAuthoritative: boolean
  latencyMs: number
  records: ResourceRecord[]
  /** The aliases (CNAME) that were followed. */
  chain: string[]
  /** How long the answer may stay the same: for a resolver, the seconds left in its cache. */
  ttlSeconds: number
}

/** The answers of every name server of the zone (published?) and of every resolver (visible?). */
export type Observation = {
  name: string
  type: RecordType
  /** The zone of the name; null when none was found. */
  zone: string | null
  authorities: ServerAnswer[]
  resolvers: ServerAnswer[]
}

/** The delegation queries of one check. It lives for one check only: users must see changes at once. */
export type LookUpMemo = Map<string, Promise<unknown>>

export type Dns = {
  /** Queries DNS_SERVERS and follows CNAMEs; `chain` lists the aliases. */
  lookUp(name: string, type: RecordType): Promise<DnsAnswer>
  /** Queries the zone's own name servers first, then DNS_SERVERS when none of them answers. */
  lookUpAtSource(name: string, type: RecordType, memo?: LookUpMemo): Promise<DnsAnswer>
  /** Queries each name server of the zone and each of DNS_SERVERS at the same time. Never throws. */
  observe(name: string, type: RecordType, memo?: LookUpMemo): Promise<Observation>
  /**
   * The shape of `dns.promises.resolve` (for mailauth and nodemailer). Throws with `code` ENOTFOUND, ENODATA, ESERVFAIL or
   * ETIMEOUT.
   */
  resolve(name: string, type: string): Promise<unknown[]>
}
