/** Compares the records by which mail programs and mail servers find settings: SRV, aliases to us, and short texts. */
import { hostAddresses } from '#server/lib/dns/host-addresses.ts'
import { tlsRptFault } from '#server/standards/dns-records/tls-rpt-record.ts'
import { stsIdIn } from '#server/standards/mta-sts.ts'
import type { Asked } from './record-kind.ts'
import { listed, type Seen, valuesIn } from './seen.ts'
import { unquoted } from './text-faults.ts'
import { couldNotCheck, type Verdict, verdict } from './verdict.ts'

const absent = (found: string[], { record: { name, type, value } }: Asked): Verdict =>
  verdict(
    'waiting',
    found,
    `There is no ${type} record at ${name} yet.`,
    `Add ${type === 'MX' ? 'an' : 'a'} ${type} record at ${name} with the value ${value}.`,
  )

/** 'priority weight port target' (RFC 2782): what counts is where the most preferred one leads. */
export const compareSrv = (seen: Seen, asked: Asked): Verdict => {
  const { name, value } = asked.record
  const found = valuesIn(seen)
  const wanted = placeOf(value)
  const [first] = found.toSorted((a, b) => priorityOf(a) - priorityOf(b))
  if (first === undefined) return absent(found, asked)
  if (placeOf(first) === wanted) return verdict('verified', found)
  const change = `Change the SRV record at ${name} to ${value}, that is priority, weight, port and target.`
  if (placeOf(first).endsWith(' .'))
    return verdict('different', found, `The SRV record at ${name} says that there is none.`, change)
  const isAmong = found.some((each) => placeOf(each) === wanted)
  return verdict(
    'different',
    found,
    isAmong
      ? `At ${name} another server (${hostOf(first)}) comes before ours.`
      : `The SRV record at ${name} leads to ${hostOf(first)} instead of ${hostOf(value)}.`,
    change,
  )
}

const partsOf = (data: string): string[] => data.trim().toLowerCase().split(/\s+/)
const priorityOf = (data: string): number => Number(partsOf(data)[0])
/** 'port target', without the last dot of a name. */
const placeOf = (data: string): string => {
  const [, , port = '', target = ''] = partsOf(data)
  return `${port} ${target === '.' ? '.' : target.replace(/\.$/, '')}`
}
const hostOf = (data: string): string => {
  const [port, target] = placeOf(data).split(' ')
  return `${target}, port ${port}`
}

/** An alias to our host, or the addresses of our host where the provider flattens it. */
export const compareAlias = async (seen: Seen, asked: Asked): Promise<Verdict> => {
  const { name, value } = asked.record
  const found = valuesIn(seen)
  const [target] = found
  const change = `Let the CNAME record at ${name} name ${value}.`
  if (target !== undefined) {
    if (target.toLowerCase() === value.toLowerCase()) return verdict('verified', found)
    if (target.toLowerCase().startsWith(`${value.toLowerCase()}.`))
      return verdict(
        'different',
        found,
        `The CNAME record at ${name} names ${target}: the DNS provider has appended a domain to ${value}.`,
        `Enter the target at ${name} as '${value}.', with a dot at the end.`,
      )
    return verdict('different', found, `The CNAME record at ${name} names ${target}.`, change)
  }
  const [there, ours] = await Promise.all([addressesOf(asked, name), addressesOf(asked, value)])
  if (there === null || ours === null) return couldNotCheck('DNS did not answer')
  if (there.length === 0) return absent(found, asked)
  if (there.every((ip) => ours.includes(ip))) return verdict('verified', there)
  return verdict(
    'different',
    there,
    `${name} leads to ${listed(there)}, and not here.`,
    `Add a CNAME record at ${name} for ${value}, in the place of what is there.`,
  )
}

/** null: DNS does not answer. */
const addressesOf = ({ dns, memo }: Asked, name: string): Promise<string[] | null> =>
  hostAddresses((host, type) => dns.lookUpAtSource(host, type, memo), name)

/** The id names the policy, and its beginning the mode that the owner chose (decision 100). */
export const compareSts = (seen: Seen, asked: Asked): Verdict => {
  const { name, value } = asked.record
  const texts = valuesIn(seen).filter((text) => /^"?v=STSv1/i.test(text))
  const [text] = texts
  if (text === undefined) return absent(valuesIn(seen), asked)
  if (texts.length > 1)
    return verdict(
      'conflict',
      texts,
      `There are ${texts.length} MTA-STS records at ${name}, so senders use none of them.`,
      `Keep one of the TXT records at ${name} and remove the others.`,
    )
  const id = stsIdIn(texts)
  const ours = stsIdIn([value]) ?? ''
  const enforcing = ours.replace('testing', 'enforce')
  if (id === ours || id === enforcing) return { ...verdict('verified', texts), value: text }
  return verdict(
    'different',
    texts,
    `The MTA-STS record at ${name} announces another policy than the one that we serve.`,
    `Change the TXT record at ${name} to the value shown.`,
  )
}

export const compareTlsRpt = (seen: Seen, asked: Asked): Verdict => {
  const { name } = asked.record
  const texts = valuesIn(seen).filter((text) => /^"?v=TLSRPTv1/i.test(text))
  const [text] = texts
  if (text === undefined) return absent(valuesIn(seen), asked)
  if (texts.length > 1)
    return verdict(
      'conflict',
      texts,
      `There are ${texts.length} TLS reporting records at ${name}, so nobody reports.`,
      `Keep one of the TXT records at ${name} and remove the others.`,
    )
  const fault = tlsRptFault(text)
  if (fault === null) return { ...verdict('verified', texts), value: text }
  return verdict(
    'different',
    texts,
    `The TLS reporting record at ${name} ${fault}.`,
    `Change the TXT record at ${name} to the value shown.`,
  )
}

/** Exactly this text, among other texts. */
export const compareText = (seen: Seen, asked: Asked): Verdict => {
  const { name, value } = asked.record
  const found = valuesIn(seen)
  if (found.some((text) => unquoted(text) === value)) return verdict('verified', found)
  if (found.length === 0) return absent(found, asked)
  return verdict(
    'different',
    found,
    `The TXT record at ${name} has another value than the one shown here.`,
    `Change the TXT record at ${name} to exactly the value shown.`,
  )
}
