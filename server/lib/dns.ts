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
  | { outcome: 'none'; isNxdomain: boolean; servers: string[] }
  | { outcome: 'failed'; reason: string; servers: string[] }

/** What one check has already asked about delegations. Made for one check and dropped with it: people must see changes at once. */
export type LookUpMemo = Map<string, Promise<unknown>>

export type Dns = {
  /** Through DNS_SERVERS, following CNAMEs; `chain` lists the names passed. */
  lookUp(name: string, type: RecordType): Promise<DnsAnswer>
  /** At the zone's own name servers first, then through DNS_SERVERS when none of them answers. */
  lookUpAtSource(name: string, type: RecordType, memo?: LookUpMemo): Promise<DnsAnswer>
  /**
   * The shape of `dns.promises.resolve` (what mailauth and nodemailer take): throws with `code`
   * ENOTFOUND, ENODATA, ESERVFAIL or ETIMEOUT.
   */
  resolve(name: string, type: string): Promise<unknown[]>
}
