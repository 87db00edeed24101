/** Evaluates SPF for one sending address (RFC 7208 §4.6): 10 look-ups, 2 of them void. What DNS says comes in as a function. */
import ipaddr from 'ipaddr.js'
import { expandMacros, type SpfContext } from './spf-macros.ts'
import { isSpf, parseSpf, type SpfRecord, type SpfTerm } from './spf-record.ts'

export type SpfAnswer =
  | { outcome: 'found'; values: string[] }
  | { outcome: 'none' }
  | { outcome: 'failed' }

export type SpfLookUp = (name: string, type: 'TXT' | 'A' | 'AAAA' | 'MX') => Promise<SpfAnswer>

export type SpfResult = {
  result: 'pass' | 'fail' | 'softfail' | 'neutral' | 'none' | 'permerror' | 'temperror'
  /** Of permerror and temperror. */
  reason: string
  /** The term that decided, as written; null when none matched. */
  term: string | null
  lookUps: number
}

type Sender = { ip: string; mailFrom: string; helo: string }
type Work = Sender & { lookUp: SpfLookUp; lookUps: number; voids: number }
type Verdict = Omit<SpfResult, 'lookUps'>

const MAX_LOOK_UPS = 10
const MAX_VOIDS = 2
const MAX_MX_HOSTS = 10

class Stop extends Error {
  readonly result: 'permerror' | 'temperror'

  constructor(result: 'permerror' | 'temperror', reason: string) {
    super(reason)
    this.result = result
  }
}

/** Evaluates `record`, which stands at `domain`, for mail from `sender`. Never throws. */
export const checkSpf = async (
  record: string,
  domain: string,
  sender: Sender,
  lookUp: SpfLookUp,
): Promise<SpfResult> => {
  const work: Work = { ...sender, lookUp, lookUps: 0, voids: 0 }
  const verdict = await evaluate(work, record, domain).catch((error: unknown): Verdict => {
    if (error instanceof Stop) return { result: error.result, reason: error.message, term: null }
    throw error
  })
  return { ...verdict, lookUps: work.lookUps }
}

const results = { '+': 'pass', '-': 'fail', '~': 'softfail', '?': 'neutral' } as const

const evaluate = async (work: Work, text: string, domain: string): Promise<Verdict> => {
  const record = parseSpf(text)
  const broken = record.broken[0]
  if (broken !== undefined) throw new Stop('permerror', `'${broken}' cannot be read`)
  for (const term of record.terms)
    if (await matches(work, term, domain))
      return { result: results[term.qualifier], reason: '', term: term.text }
  return redirected(work, record, domain)
}

const redirected = async (work: Work, record: SpfRecord, domain: string): Promise<Verdict> => {
  if (record.redirect === null) return { result: 'neutral', reason: '', term: null }
  const target = targetOf(work, record.redirect, domain)
  const text = await recordAt(work, target)
  if (text === null) throw new Stop('permerror', `${target} has no SPF record`)
  return evaluate(work, text, target)
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
      if (text === null) throw new Stop('permerror', `${target} has no SPF record`)
      return (await evaluate(work, text, target)).result === 'pass'
    }
    case 'a': {
      const ips = await ask(work, targetOf(work, term.value, domain), addressType(work.ip))
      return ips.some((ip) => isWithin(work.ip, ip, term))
    }
    case 'mx': {
      const hosts = await ask(work, targetOf(work, term.value, domain), 'MX')
      if (hosts.length > MAX_MX_HOSTS)
        throw new Stop('permerror', `'${term.text}' names more than ${MAX_MX_HOSTS} hosts`)
      const found = await Promise.all(hosts.map((host) => askHost(work, host)))
      return found.flat().some((ip) => isWithin(work.ip, ip, term))
    }
    case 'exists':
      return (await ask(work, targetOf(work, term.value, domain), 'A')).length > 0
    case 'ptr':
      // §5.5: must not be used. It counts, and never matches here.
      countLookUp(work)
      return false
  }
}

const targetOf = (work: Work, value: string, domain: string): string => {
  const context: SpfContext = { ...work, domain }
  const target = value === '' ? domain : expandMacros(value, context)
  if (target === null) throw new Stop('permerror', `'${value}' cannot be read`)
  return target
}

const countLookUp = (work: Work): void => {
  work.lookUps += 1
  if (work.lookUps > MAX_LOOK_UPS)
    throw new Stop('permerror', `it needs more than ${MAX_LOOK_UPS} DNS look-ups`)
}

/** The values there; empty when there are none, which only two terms may meet (§4.6.4). */
const ask = async (work: Work, name: string, type: 'A' | 'AAAA' | 'MX'): Promise<string[]> => {
  countLookUp(work)
  const answer = await work.lookUp(name, type)
  if (answer.outcome === 'failed') throw new Stop('temperror', `${name} could not be looked up`)
  if (answer.outcome === 'found') return answer.values
  countVoid(work, name)
  return []
}

const countVoid = (work: Work, name: string): void => {
  work.voids += 1
  if (work.voids > MAX_VOIDS)
    throw new Stop('permerror', `more than ${MAX_VOIDS} of its names do not exist, such as ${name}`)
}

/** Addresses of one MX host; they have their own limit (§4.6.4). */
const askHost = async (work: Work, host: string): Promise<string[]> => {
  const answer = await work.lookUp(host, addressType(work.ip))
  if (answer.outcome === 'failed') throw new Stop('temperror', `${host} could not be looked up`)
  return answer.outcome === 'found' ? answer.values : []
}

/** The one SPF record of an included name; null when there is none. */
const recordAt = async (work: Work, name: string): Promise<string | null> => {
  countLookUp(work)
  const answer = await work.lookUp(name, 'TXT')
  if (answer.outcome === 'failed') throw new Stop('temperror', `${name} could not be looked up`)
  const records = answer.outcome === 'found' ? answer.values.filter(isSpf) : []
  if (records.length > 1) throw new Stop('permerror', `${name} has more than one SPF record`)
  return records[0] ?? null
}

const addressType = (ip: string): 'A' | 'AAAA' => (ip.includes(':') ? 'AAAA' : 'A')

const isWithin = (
  ip: string,
  network: string,
  { prefix4, prefix6 }: Pick<SpfTerm, 'prefix4' | 'prefix6'>,
): boolean => {
  if (!ipaddr.isValid(ip) || !ipaddr.isValid(network)) return false
  const [address, base] = [ipaddr.process(ip), ipaddr.process(network)]
  if (address.kind() !== base.kind()) return false
  return address.match(base, address.kind() === 'ipv4' ? prefix4 : prefix6)
}
