/** Checks an SPF record by evaluating it for the addresses that send our mail. */
import { isIP } from 'node:net'
import {
  checkSpf,
  type SpfLookUp,
  type SpfResult,
} from '#server/standards/dns-records/spf-check.ts'
import { expectedSpf, isSpf, parseSpf } from '#server/standards/dns-records/spf-record.ts'
import { isQuoted, marksIn, unquoted } from './text-faults.ts'
import { couldNotCheck, type Verdict, verdict } from './verdict.ts'

export type Senders = {
  /** null: MAIL_IPS is not set, and MAIL_HOST could not be looked up. */
  ips: string[] | null
  mechanisms: string[]
}

export const addressMechanisms = (ips: readonly string[]): string[] =>
  ips.map((ip) => `${isIP(ip) === 6 ? 'ip6' : 'ip4'}:${ip}`)

type SpfCheck = {
  name: string
  mailHost: string
  senders: Senders
  lookUp: SpfLookUp
  /** The strings of each TXT value, when known. */
  pieces?: string[][]
}

export const compareSpf = async (values: string[], check: SpfCheck): Promise<Verdict> => {
  const { name, senders } = check
  const records = values.filter(isSpf)
  const [record] = records
  if (record === undefined) return missingRecord(values, check)
  const result = await worstResult(record, check)
  if (records.length === 1 && result.result === 'pass') return verified(record)
  const ours = await fittingMechanisms(records, check)
  const value = expectedSpf(records, ours)
  if (records.length > 1)
    return {
      ...verdict(
        'conflict',
        records,
        `${name} has ${records.length} SPF records, and receivers accept only one.`,
        `Replace them all by one TXT record at ${name} with the value shown; it names every service that they name.`,
      ),
      value,
    }
  // The proposed value keeps the existing record, even while it cannot be evaluated.
  if (result.result === 'temperror' || senders.ips === null)
    return { ...couldNotCheck(reasonOf(result)), value }
  const fault = spfFault(record, result, {
    name,
    ours,
    pieces: check.pieces?.find((strings) => strings.join('') === record) ?? [],
  })
  return { ...verdict('different', [record], fault.explanation, fault.fix), value: fault.value }
}

type Fault = { explanation: string; fix: string; value: string }
type SpfFacts = {
  name: string
  /** Our mechanisms. */
  ours: readonly string[]
  /** The strings of the TXT record. */
  pieces: string[]
}

/** Why an SPF record does not allow our servers to send, and the record that would. Pure. */
export const spfFault = (record: string, result: SpfResult, facts: SpfFacts): Fault => {
  const { name, ours } = facts
  const value = expectedSpf([record], ours)
  const fix = `Change the TXT record at ${name} to the value shown; it keeps what is there and adds our servers.`
  const ignored = `The SPF record of ${name} has a mistake, so receivers ignore it`
  const joinFault = joinedWords(facts)
  if (joinFault) return joinFault
  if (result.fault === 'too-many-look-ups') return tooManyLookUps(record, name, value)
  if (result.fault === 'too-many-voids')
    return {
      explanation: `${ignored}: ${result.reason}.`,
      fix: `Change the TXT record at ${name} to the value shown, which leaves out the names that do not exist.`,
      value: expectedSpf([without(record, result.voidTerms)], ours),
    }
  if (result.fault !== null && result.term !== null)
    return {
      explanation: `${ignored}: '${result.term}' cannot be used, since ${result.reason}.`,
      fix: `Correct '${result.term}', or change the TXT record at ${name} to the value shown, which leaves it out.`,
      value: expectedSpf([without(record, [result.term])], ours),
    }
  if (result.fault !== null) return { explanation: `${ignored}: ${result.reason}.`, fix, value }
  const afterAll = behindAll(record, ours)
  if (afterAll)
    return {
      explanation: `In the SPF record of ${name}, '${afterAll.mechanism}' stands after '${afterAll.all}', where receivers have stopped reading.`,
      fix: `Move '${afterAll.all}' to the end: change the TXT record at ${name} to the value shown.`,
      value,
    }
  return {
    explanation: `The SPF record of ${name} does not let our servers send for it.`,
    fix,
    value,
  }
}

const tooManyLookUps = (record: string, name: string, value: string): Fault => {
  const asking = parseSpf(record).terms.filter(({ mechanism }) =>
    ['include', 'a', 'mx', 'ptr', 'exists'].includes(mechanism),
  )
  const named = asking.map(({ text }) => `'${text}'`).join(', ')
  return {
    explanation: `The SPF record of ${name} needs more than 10 DNS look-ups, the most that receivers make, so they ignore it.`,
    fix: `Remove from the record at ${name} what no longer sends for you, until 10 look-ups are left; these ask DNS: ${named}.`,
    value,
  }
}

/** TXT strings are joined without a separator: a space between two terms must be inside one of the strings. */
const joinedWords = ({ name, ours, pieces }: SpfFacts): Fault | null => {
  if (pieces.length < 2) return null
  const at = pieces.findIndex(
    (piece, n) => n > 0 && isWordEnd(pieces[n - 1] ?? '') && isWordStart(piece),
  )
  if (at < 0 || parseSpf(pieces.join(' ')).broken.length > 0) return null
  const [before, after] = [lastWord(pieces[at - 1] ?? ''), firstWord(pieces[at] ?? '')]
  return {
    explanation: `The strings of the SPF record of ${name} are joined without a space, so that '${before}' and '${after}' became one word.`,
    fix: `Change the TXT record at ${name} to the value shown, in one string or with a space at the end of the first.`,
    value: expectedSpf([pieces.join(' ')], ours),
  }
}

const isWordEnd = (text: string): boolean => /\S$/.test(text)
const isWordStart = (text: string): boolean =>
  /^[+?~-]?(?:all|include:|a[:/ ]|mx[:/ ]|ip4:|ip6:|exists:|ptr|redirect=)/i.test(text) ||
  /^[+?~-]?(?:a|mx)$/i.test(text)
const lastWord = (text: string): string => text.split(' ').at(-1) ?? ''
const firstWord = (text: string): string => text.split(' ')[0] ?? ''

const behindAll = (
  record: string,
  ours: readonly string[],
): { mechanism: string; all: string } | null => {
  const { terms } = parseSpf(record)
  const all = terms.findIndex(({ mechanism }) => mechanism === 'all')
  const wanted = ours.map((each) => each.toLowerCase())
  const afterAll = terms
    .slice(all + 1)
    .find(({ text }) => wanted.includes(text.replace(/^\+/, '').toLowerCase()))
  return all < 0 || !afterAll ? null : { mechanism: afterAll.text, all: terms[all]?.text ?? '' }
}

const without = (record: string, terms: string[]): string =>
  record
    .split(' ')
    .flatMap((word) => (!terms.includes(word) ? [word] : /^redirect=/i.test(word) ? ['~all'] : []))
    .join(' ')

type MechanismsCheck = { name: string; mailHost: string; senders: Senders; lookUp: SpfLookUp }

/** An address that no mechanism but `all` matches, so every look-up of the record is made. */
const UNMATCHED_IP = '240.0.0.1'

/**
 * The mechanisms to add to an existing SPF record without exceeding the 10 look-ups of receivers: our addresses one by one when
 * our include would be one look-up too many.
 */
export const fittingMechanisms = async (
  existing: readonly string[],
  check: MechanismsCheck,
): Promise<string[]> => {
  const { ips, mechanisms } = check.senders
  const asksDns = mechanisms.some((each) => /^(?:include|a):/i.test(each))
  if (!asksDns || existing.length === 0 || ips === null || ips.length === 0) return mechanisms
  const addresses = addressMechanisms(ips)
  const isOverLimit = (ours: string[]) => exceedsLookUps(expectedSpf(existing, ours), check)
  return (await isOverLimit(mechanisms)) && !(await isOverLimit(addresses)) ? addresses : mechanisms
}

const exceedsLookUps = async (record: string, { name, mailHost, lookUp }: MechanismsCheck) => {
  const sender = { ip: UNMATCHED_IP, mailFrom: `postmaster@${name}`, helo: mailHost }
  return (await checkSpf(record, name, sender, lookUp)).fault === 'too-many-look-ups'
}

/** Explains a record that only looks like SPF, instead of reporting it as missing. */
const missingRecord = (values: string[], { name, senders }: SpfCheck): Verdict => {
  const almostSpf = values.find((text) => /^[\s"“”'\\]*v\s*=\s*spf\s*1/i.test(text))
  if (almostSpf === undefined)
    return {
      ...verdict(
        'waiting',
        [],
        `${name} has no SPF record yet.`,
        `Add a TXT record at ${name} with the value shown.`,
      ),
      value: expectedSpf([], senders.mechanisms),
    }
  const plain = unquoted(almostSpf)
  const isMarked = isQuoted(almostSpf)
  return {
    ...verdict(
      'different',
      [almostSpf],
      isMarked
        ? `In the SPF record of ${name}, ${marksIn(almostSpf)} became part of the value, so receivers do not see an SPF record.`
        : `The SPF record of ${name} does not begin with 'v=spf1' and a space, so receivers do not see it.`,
      isMarked
        ? `Enter the value at ${name} again, as shown, without ${marksIn(almostSpf)}.`
        : `Change the TXT record at ${name} to the value shown.`,
    ),
    value: expectedSpf(isSpf(plain) ? [plain] : [], senders.mechanisms),
  }
}

const reasonOf = (result: SpfResult): string =>
  result.result === 'temperror'
    ? result.reason
    : 'the addresses that send our mail are not known now'

/** A record that ends in +all passes, but the verdict warns about it, even if the record names us first. */
const verified = (record: string): Verdict => {
  const last = parseSpf(record).terms.find(({ mechanism }) => mechanism === 'all')
  const open = last?.qualifier === '+' ? last.text : null
  const [what, fix] =
    open === null
      ? ['', '']
      : [
          `This SPF record ends in ${open}, which lets every server in the world send as you.`,
          `Replace ${open} by ~all once every service that sends for you is named in the record.`,
        ]
  return { ...verdict('verified', [record], what, fix), value: record }
}

/** The first result among our addresses that is not a pass; definite results first. */
const worstResult = async (
  record: string,
  { name, mailHost, senders, lookUp }: SpfCheck,
): Promise<SpfResult> => {
  const ips = senders.ips ?? []
  if (ips.length === 0) return textualResult(record, senders.mechanisms)
  const results = await Promise.all(
    ips.map((ip) =>
      checkSpf(record, name, { ip, mailFrom: `postmaster@${name}`, helo: mailHost }, lookUp),
    ),
  )
  const bad = results.filter(({ result }) => result !== 'pass')
  const definite = bad.find(({ result }) => result !== 'temperror') ?? bad[0]
  return definite ?? results[0] ?? textualResult(record, senders.mechanisms)
}

/** Without known addresses, the record must name our mechanisms before its `all`. */
const textualResult = (record: string, mechanisms: string[]): SpfResult => {
  const { terms, broken } = parseSpf(record)
  const all = terms.findIndex(({ mechanism }) => mechanism === 'all')
  const named = terms.slice(0, all < 0 ? terms.length : all).map(({ text }) => text.toLowerCase())
  const isNamed = mechanisms.every(
    (each) => named.includes(each.toLowerCase()) || named.includes(`+${each.toLowerCase()}`),
  )
  const [first] = broken
  const none = { fault: null, reason: '', term: null, voidTerms: [], lookUps: 0 }
  if (first !== undefined)
    return { ...none, result: 'permerror', fault: 'syntax', reason: `'${first}' cannot be read` }
  return { ...none, result: isNamed ? 'pass' : 'neutral' }
}
