/** SPF is judged by evaluating it for the addresses that send our mail. */
import {
  checkSpf,
  type SpfLookUp,
  type SpfResult,
} from '#server/standards/dns-records/spf-check.ts'
import { expectedSpf, isSpf, parseSpf } from '#server/standards/dns-records/spf-record.ts'
import { addressMechanisms, type Senders } from './expected-records.ts'
import { spfFault } from './spf-faults.ts'
import { isQuoted, marksIn, unquoted } from './text-faults.ts'
import { couldNotCheck, type Verdict, verdict } from './verdict.ts'

type Asked = {
  name: string
  mailHost: string
  senders: Senders
  lookUp: SpfLookUp
  /** The strings of each TXT value, where known. */
  pieces?: string[][]
}

export const compareSpf = async (values: string[], asked: Asked): Promise<Verdict> => {
  const { name, senders } = asked
  const records = values.filter(isSpf)
  const [record] = records
  if (record === undefined) return withoutRecord(values, asked)
  const result = await worstResult(record, asked)
  if (records.length === 1 && result.result === 'pass') return verified(record)
  const ours = await fittingMechanisms(records, asked)
  const value = expectedSpf(records, ours)
  if (records.length > 1)
    return {
      ...verdict(
        'conflict',
        records,
        `${name} has ${records.length} SPF records, and receivers accept only one.`,
        `Replace them all by one TXT record at ${name} with the value shown; it names everybody whom they name.`,
      ),
      value,
    }
  // The value that we propose keeps what is there, also while nobody can tell what it means.
  if (result.result === 'temperror' || senders.ips === null)
    return { ...couldNotCheck(reasonOf(result)), value }
  const fault = spfFault(record, result, {
    name,
    ours,
    pieces: asked.pieces?.find((strings) => strings.join('') === record) ?? [],
  })
  return { ...verdict('different', [record], fault.explanation, fault.fix), value: fault.value }
}

type MechanismsAsked = { name: string; mailHost: string; senders: Senders; lookUp: SpfLookUp }

/** Matched by no mechanism but `all`, so every look-up of a record is made for it. */
const NOBODYS_IP = '240.0.0.1'

/**
 * Our part of an SPF record that is there already: what keeps it within the 10 look-ups that receivers make.
 * Our addresses one by one, where the name that we are included by would take a look-up too many.
 */
export const fittingMechanisms = async (
  existing: readonly string[],
  asked: MechanismsAsked,
): Promise<string[]> => {
  const { ips, mechanisms } = asked.senders
  const asksDns = mechanisms.some((each) => /^(?:include|a):/i.test(each))
  if (!asksDns || existing.length === 0 || ips === null || ips.length === 0) return mechanisms
  const addresses = addressMechanisms(ips)
  const isTooMuch = (ours: string[]) => needsTooMuch(expectedSpf(existing, ours), asked)
  return (await isTooMuch(mechanisms)) && !(await isTooMuch(addresses)) ? addresses : mechanisms
}

const needsTooMuch = async (record: string, { name, mailHost, lookUp }: MechanismsAsked) => {
  const sender = { ip: NOBODYS_IP, mailFrom: `postmaster@${name}`, helo: mailHost }
  return (await checkSpf(record, name, sender, lookUp)).fault === 'too-many-look-ups'
}

/** Something that only looks like SPF is worth more words than "it is not there". */
const withoutRecord = (values: string[], { name, senders }: Asked): Verdict => {
  const near = values.find((text) => /^[\s"“”'\\]*v\s*=\s*spf\s*1/i.test(text))
  if (near === undefined)
    return {
      ...verdict(
        'waiting',
        [],
        `${name} has no SPF record yet.`,
        `Add a TXT record at ${name} with the value shown.`,
      ),
      value: expectedSpf([], senders.mechanisms),
    }
  const plain = unquoted(near)
  const isMarked = isQuoted(near)
  return {
    ...verdict(
      'different',
      [near],
      isMarked
        ? `In the SPF record of ${name}, ${marksIn(near)} became part of the value, so receivers do not see an SPF record.`
        : `The SPF record of ${name} does not begin with 'v=spf1' and a space, so receivers do not see it.`,
      isMarked
        ? `Enter the value at ${name} again, as shown, without ${marksIn(near)}.`
        : `Change the TXT record at ${name} to the value shown.`,
    ),
    value: expectedSpf(isSpf(plain) ? [plain] : [], senders.mechanisms),
  }
}

const reasonOf = (result: SpfResult): string =>
  result.result === 'temperror'
    ? result.reason
    : 'the addresses that send our mail are not known now'

/** A record that lets everybody send works, and is worth a word, also where we are named before. */
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

/** The first result that is no pass among our addresses. */
const worstResult = async (
  record: string,
  { name, mailHost, senders, lookUp }: Asked,
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

/** Without addresses to evaluate for, the record has to name our mechanisms before its `all`. */
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
