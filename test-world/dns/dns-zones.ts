/** The zones of the test DNS server, and their answer to a query. No sockets here. */
import type { Answer, Question } from 'dns-packet'

export type ZoneRecordType =
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
  | 'SPF'

/** Presentation format ('10 mail.example.com', '0 1 443 host'); for TXT also a list of strings, of any bytes. */
export type ZoneValue = string | (string | Uint8Array)[]

export type ZoneAnswer = {
  rcode: 'NOERROR' | 'NXDOMAIN'
  answers: Answer[]
  authorities: Answer[]
  additionals: Answer[]
}

type Node = Map<string, Answer[]>

const MAX_CHAIN = 16
const NEGATIVE_TTL_SECONDS = 5

export const plainName = (name: string): string => name.toLowerCase().replace(/\.$/, '')

const parentOf = (name: string): string => {
  const dot = name.indexOf('.')
  return dot < 0 ? '' : name.slice(dot + 1)
}

export class DnsZones {
  readonly #nodes = new Map<string, Node>()
  /** The number of names below each ancestor: a name without records but with children is not NXDOMAIN. */
  readonly #ancestors = new Map<string, number>()
  #serial = 1

  constructor() {
    this.#put('', 'SOA', [this.#soa('')])
  }

  /** Adds a zone with SOA, one name server (this one) and its address. */
  zone(name: string, serverIp = '127.0.0.1'): void {
    const apex = plainName(name)
    this.#put(apex, 'SOA', [this.#soa(apex)])
    this.set(apex, 'NS', [`ns1.${apex}`])
    this.set(`ns1.${apex}`, 'A', [serverIp])
  }

  /** Replaces the records of one name and type. */
  set(name: string, type: ZoneRecordType, values: ZoneValue[], ttl = 300): void {
    const owner = plainName(name)
    this.#put(
      owner,
      type,
      values.map((value) => toAnswer(owner, type, value, ttl)),
    )
    this.#serial += 1
  }

  /** Removes one type of a name, or all its records. */
  remove(name: string, type?: ZoneRecordType): void {
    const owner = plainName(name)
    const node = this.#nodes.get(owner)
    if (!node) return
    if (type) node.delete(type)
    if (type && node.size > 0) return
    this.#nodes.delete(owner)
    for (let at = owner; at !== ''; at = parentOf(at)) {
      const left = (this.#ancestors.get(parentOf(at)) ?? 0) - 1
      if (left > 0) this.#ancestors.set(parentOf(at), left)
      else this.#ancestors.delete(parentOf(at))
    }
    this.#serial += 1
  }

  answer({ name, type }: Question): ZoneAnswer {
    const answers: Answer[] = []
    let at = plainName(name)
    for (let step = 0; step < MAX_CHAIN; step++) {
      const node = this.#nodes.get(at) ?? this.#wildcardFor(at)
      if (!node) {
        const rcode = this.#ancestors.has(at) ? 'NOERROR' : 'NXDOMAIN'
        return { rcode, answers, authorities: [this.#soaOver(at)], additionals: [] }
      }
      const found = node.get(type)
      if (found) {
        for (const record of found) answers.push({ ...record, name: at })
        return { rcode: 'NOERROR', answers, authorities: [], additionals: this.#glue(found) }
      }
      const alias = node.get('CNAME')?.[0]
      if (alias?.type !== 'CNAME')
        return { rcode: 'NOERROR', answers, authorities: [this.#soaOver(at)], additionals: [] }
      answers.push({ ...alias, name: at })
      at = plainName(alias.data)
    }
    return { rcode: 'NOERROR', answers, authorities: [], additionals: [] }
  }

  #put(owner: string, type: string, records: Answer[]): void {
    const known = this.#nodes.get(owner)
    const node = known ?? new Map<string, Answer[]>()
    node.set(type, records)
    if (known) return
    this.#nodes.set(owner, node)
    for (let at = owner; at !== ''; at = parentOf(at)) {
      const parent = parentOf(at)
      this.#ancestors.set(parent, (this.#ancestors.get(parent) ?? 0) + 1)
    }
  }

  #wildcardFor(name: string): Node | undefined {
    if (this.#ancestors.has(name)) return undefined
    let closest = parentOf(name)
    while (closest !== '' && !this.#nodes.has(closest) && !this.#ancestors.has(closest))
      closest = parentOf(closest)
    return closest === '' ? undefined : this.#nodes.get(`*.${closest}`)
  }

  #soaOver(name: string): Answer {
    for (let at = name; ; at = parentOf(at)) {
      if (at === '' || this.#nodes.get(at)?.has('SOA')) return this.#soa(at)
    }
  }

  #soa(apex: string): Answer {
    return {
      type: 'SOA',
      name: apex === '' ? '.' : apex,
      ttl: NEGATIVE_TTL_SECONDS,
      data: {
        mname: apex === '' ? 'ns.test-world.invalid' : `ns1.${apex}`,
        rname: 'hostmaster.test-world.invalid',
        serial: this.#serial,
        refresh: 3600,
        retry: 600,
        expire: 86_400,
        minimum: NEGATIVE_TTL_SECONDS,
      },
    }
  }

  #glue(records: Answer[]): Answer[] {
    return records.flatMap((record) => {
      const host = record.type === 'NS' ? record.data : null
      return host === null ? [] : (this.#nodes.get(plainName(host))?.get('A') ?? [])
    })
  }
}

/** Splits a TXT value into strings of at most 255 bytes. */
const txtStrings = (value: ZoneValue): Buffer[] => {
  if (Array.isArray(value)) return value.map((part) => Buffer.from(part))
  const bytes = Buffer.from(value)
  const strings: Buffer[] = []
  for (let at = 0; at < bytes.length || at === 0; at += 255)
    strings.push(bytes.subarray(at, at + 255))
  return strings
}

const toAnswer = (name: string, type: ZoneRecordType, value: ZoneValue, ttl: number): Answer => {
  if (type === 'TXT') return { type, name, ttl, data: txtStrings(value) }
  if (type === 'SPF') {
    const strings = txtStrings(value).flatMap((part) => [Buffer.from([part.length]), part])
    // The package writes the data of an unknown type as it is.
    return { type, name, ttl, data: Buffer.concat(strings) } as unknown as Answer
  }
  const text = Array.isArray(value) ? value.join(' ') : value
  const words = text.split(/\s+/)
  const word = (at: number) => words[at] ?? ''
  if (type === 'MX')
    return { type, name, ttl, data: { preference: Number(word(0)), exchange: word(1) } }
  if (type === 'SRV') {
    const [priority, weight, port] = words.map(Number)
    return {
      type,
      name,
      ttl,
      data: { priority: priority ?? 0, weight: weight ?? 0, port: port ?? 0, target: word(3) },
    }
  }
  if (type === 'TLSA') {
    const [usage, selector, matchingType] = words.map(Number)
    const certificate = Buffer.from(word(3), 'hex')
    return {
      type,
      name,
      ttl,
      data: {
        usage: usage ?? 0,
        selector: selector ?? 0,
        matchingType: matchingType ?? 0,
        certificate,
      },
    }
  }
  if (type === 'SOA') throw new Error('zone() writes the SOA record')
  return { type, name, ttl, data: text }
}
