/** Evaluates SPF for one sending address (RFC 7208 §4.6): 10 look-ups, 2 of them void. What DNS says comes in as a function (decision 053). */
import ipaddr from 'ipaddr.js'
import { expandMacros, type SpfContext } from './spf-macros.ts'
import { isSpf, parseSpf, type SpfRecord, type SpfTerm } from './spf-record.ts'

export type SpfAnswer =
  | { outcome: 'found'; values: string[] }
  | { outcome: 'none' }
  | { outcome: 'failed' }

export type SpfLookUp = (
  name: string,
  type: 'TXT' | 'A' | 'AAAA' | 'MX' | 'PTR',
) => Promise<SpfAnswer>

export type SpfFault =
  | 'syntax'
  | 'too-many-look-ups'
  | 'too-many-voids'
  /** An include or redirect names a domain without an SPF record. */
  | 'no-record'
  | 'several-records'
  | 'loop'
  | 'too-many-hosts'

export type SpfResult = {
  result: 'pass' | 'fail' | 'softfail' | 'neutral' | 'none' | 'permerror' | 'temperror'
  /** Set for permerror. */
  fault: SpfFault | null
  /** Set for permerror and temperror. */
  reason: string
  /** The term of the outermost record that decided or failed, as written; null when none did. */
  term: string | null
  /** Terms of the outermost record whose names do not exist. */
  voidTerms: string[]
  lookUps: number
}

type Sender = { ip: string; mailFrom: string; helo: string }
type Work = Sender & {
  lookUp: SpfLookUp
  lookUps: number
  voids: number
  /** The names whose records are being evaluated, outermost first. */
  path: string[]
  voidTerms: string[]
  /** The term of the outermost record that is being evaluated. */
  outerTerm: string | null
}
type Verdict = Pick<SpfResult, 'result' | 'term'>

const MAX_LOOK_UPS = 10
const MAX_VOIDS = 2
const MAX_MX_HOSTS = 10
const MAX_PTR_NAMES = 10

class Stop extends Error {
  /** null: DNS did not answer, which is temporary (temperror). */
  readonly fault: SpfFault | null

  constructor(fault: SpfFault | null, reason: string) {
    super(reason)
    this.fault = fault
  }
}

/** Evaluates `record`, the SPF record of `domain`, for mail from `sender`. Never throws. */
export const checkSpf = async (
  record: string,
  domain: string,
  sender: Sender,
  lookUp: SpfLookUp,
): Promise<SpfResult> => {
  const work: Work = {
    ...sender,
    ip: ipaddr.isValid(sender.ip) ? ipaddr.process(sender.ip).toString() : sender.ip,
    lookUp,
    lookUps: 0,
    voids: 0,
    path: [],
    voidTerms: [],
    outerTerm: null,
  }
  try {
    const verdict = await evaluate(work, record, domain)
    return { ...verdict, fault: null, reason: '', ...countsOf(work) }
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    const { fault, message: reason } = error
    const result = fault === null ? 'temperror' : 'permerror'
    return { result, fault, reason, term: work.outerTerm, ...countsOf(work) }
  }
}

const countsOf = ({ lookUps, voidTerms }: Work) => ({ lookUps, voidTerms })

const results = { '+': 'pass', '-': 'fail', '~': 'softfail', '?': 'neutral' } as const

const evaluate = async (work: Work, text: string, domain: string): Promise<Verdict> => {
  const record = parseSpf(text)
  const broken = record.broken[0]
  if (broken !== undefined) throw new Stop('syntax', `'${broken}' cannot be read`)
  for (const term of record.terms) {
    if (work.path.length === 0) work.outerTerm = term.text
    if (await matches(work, term, domain))
      return { result: results[term.qualifier], term: term.text }
  }
  return redirected(work, record, domain)
}

const evaluateWithin = async (work: Work, text: string, domain: string): Promise<Verdict> => {
  if (work.path.includes(domain.toLowerCase())) throw new Stop('loop', `${domain} includes itself`)
  work.path.push(domain.toLowerCase())
  const verdict = await evaluate(work, text, domain)
  work.path.pop()
  return verdict
}

const redirected = async (work: Work, record: SpfRecord, domain: string): Promise<Verdict> => {
  if (record.redirect === null) return { result: 'neutral', term: null }
  if (work.path.length === 0) work.outerTerm = `redirect=${record.redirect}`
  const target = targetOf(work, record.redirect, domain)
  const text = await recordAt(work, target)
  if (text === null) throw new Stop('no-record', `${target} has no SPF record`)
  return evaluateWithin(work, text, target)
}

const matches = async (work: Work, term: SpfTerm, domain: string): Promise<boolean> => {
  switch (term.mechanism) {
    case 'all':
      return true
    case 'ip4':
    case 'ip6':
      return isWithin(work.ip, term.value, term)
    case 'include': {
      const target = targetOf(work, term.value, domain)
      const text = await recordAt(work, target)
      if (text === null) throw new Stop('no-record', `${target} has no SPF record`)
      return (await evaluateWithin(work, text, target)).result === 'pass'
    }
    case 'a': {
      const ips = await ask(work, targetOf(work, term.value, domain), addressType(work.ip))
      return ips.some((ip) => isWithin(work.ip, ip, term))
    }
    case 'mx': {
      const hosts = await ask(work, targetOf(work, term.value, domain), 'MX')
      if (hosts.length > MAX_MX_HOSTS)
        throw new Stop('too-many-hosts', `'${term.text}' names more than ${MAX_MX_HOSTS} hosts`)
      const found = await Promise.all(hosts.map((host) => askHost(work, host)))
      return found.flat().some((ip) => isWithin(work.ip, ip, term))
    }
    case 'exists':
      return (await ask(work, targetOf(work, term.value, domain), 'A')).length > 0
    case 'ptr':
      return matchesPtr(work, targetOf(work, term.value, domain))
  }
}

/** §5.5: matches a reverse name that resolves back to the address and is the target or below it. DNS failures do not match. */
const matchesPtr = async (work: Work, target: string): Promise<boolean> => {
  countLookUp(work)
  const answer = await work.lookUp(reverseName(work.ip), 'PTR')
  if (answer.outcome === 'none') countVoid(work, reverseName(work.ip))
  const names = answer.outcome === 'found' ? answer.values.slice(0, MAX_PTR_NAMES) : []
  const within = names.filter((name) => {
    const plain = name.toLowerCase().replace(/\.$/, '')
    return plain === target.toLowerCase() || plain.endsWith(`.${target.toLowerCase()}`)
  })
  const found = await Promise.all(within.map((name) => work.lookUp(name, addressType(work.ip))))
  const back = found.flatMap((each) => (each.outcome === 'found' ? each.values : []))
  return back.some((ip) => isWithin(work.ip, ip, { prefix4: 32, prefix6: 128 }))
}

const reverseName = (ip: string): string =>
  ip.includes(':')
    ? `${[...Buffer.from(ipaddr.parse(ip).toByteArray()).toString('hex')].reverse().join('.')}.ip6.arpa`
    : `${ip.split('.').reverse().join('.')}.in-addr.arpa`

const targetOf = (work: Work, value: string, domain: string): string => {
  const context: SpfContext = { ...work, domain }
  const target = value === '' ? domain : expandMacros(value, context)
  if (target === null) throw new Stop('syntax', `'${value}' cannot be read`)
  return target
}

const countLookUp = (work: Work): void => {
  work.lookUps += 1
  if (work.lookUps > MAX_LOOK_UPS)
    throw new Stop('too-many-look-ups', `it needs more than ${MAX_LOOK_UPS} DNS look-ups`)
}

/** The values in DNS; empty for a void look-up, of which two are allowed (§4.6.4). */
const ask = async (work: Work, name: string, type: 'A' | 'AAAA' | 'MX'): Promise<string[]> => {
  countLookUp(work)
  const answer = await work.lookUp(name, type)
  if (answer.outcome === 'failed') throw new Stop(null, `${name} could not be looked up`)
  if (answer.outcome === 'found') return answer.values
  countVoid(work, name)
  return []
}

const countVoid = (work: Work, name: string): void => {
  work.voids += 1
  if (work.path.length === 0 && work.outerTerm !== null) work.voidTerms.push(work.outerTerm)
  if (work.voids > MAX_VOIDS)
    throw new Stop(
      'too-many-voids',
      `more than ${MAX_VOIDS} of its names do not exist, such as ${name}`,
    )
}

/** Addresses of one MX host; they count against a limit of their own (§4.6.4). */
const askHost = async (work: Work, host: string): Promise<string[]> => {
  const answer = await work.lookUp(host, addressType(work.ip))
  if (answer.outcome === 'failed') throw new Stop(null, `${host} could not be looked up`)
  return answer.outcome === 'found' ? answer.values : []
}

/** The SPF record of an included name; null when it has none. */
const recordAt = async (work: Work, name: string): Promise<string | null> => {
  countLookUp(work)
  const answer = await work.lookUp(name, 'TXT')
  if (answer.outcome === 'failed') throw new Stop(null, `${name} could not be looked up`)
  const records = answer.outcome === 'found' ? answer.values.filter(isSpf) : []
  if (records.length > 1) throw new Stop('several-records', `${name} has more than one SPF record`)
  return records[0] ?? null
}

const addressType = (ip: string): 'A' | 'AAAA' => (ip.includes(':') ? 'AAAA' : 'A')

const isWithin = (
  ip: string,
  network: string,
  { prefix4, prefix6 }: Pick<SpfTerm, 'prefix4' | 'prefix6'>,
): boolean => {
  if (!ipaddr.isValid(ip) || !ipaddr.isValid(network)) return false
  // `::1.2.3.4` is an IPv6 network, but ipaddr.process would turn it into IPv4.
  const [address, base] = [ipaddr.process(ip), ipaddr.parse(network)]
  if (address.kind() !== base.kind()) return false
  return address.match(base, address.kind() === 'ipv4' ? prefix4 : prefix6)
}
