/** Describes the present DNS of a domain, before anything is changed. Pure. */
import type { DnsSetting } from '#contract/dns/setting.ts'
import type { DnsRecord, RecordPurpose } from '#contract/domains.ts'

export type Fact = {
  kind: 'dns' | 'mail' | 'spf' | 'dmarc'
  term: string
  what: string
  /** What happens to it, or a detail. */
  more: string
}

export const factsIn = (setting: DnsSetting): Fact[] => [
  { kind: 'dns', term: 'DNS', ...describeDns(setting) },
  { kind: 'mail', term: 'Mail', ...describeMail(setting) },
  { kind: 'spf', term: 'SPF', ...describeSpf(setting) },
  { kind: 'dmarc', term: 'DMARC', ...describeDmarc(setting) },
]

type Description = { what: string; more: string }

const notKnown: Description = { what: 'Not known yet', more: 'DNS has not answered yet.' }

const describeDns = ({ provider, nameServers }: DnsSetting): Description => {
  const [first, ...others] = nameServers
  if (first === undefined) return { what: 'No name servers found', more: '' }
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  return { what: provider?.name ?? 'Unknown provider', more: `${first}${more}` }
}

const describeMail = ({ mail }: DnsSetting): Description => {
  if (mail === null) return notKnown
  const [first] = mail.hosts
  if (mail.isOurs) return { what: 'Already comes here', more: first?.host ?? '' }
  if (mail.hasNullMx) return { what: 'Accepts no mail', more: 'A null MX record says so.' }
  if (first === undefined) return { what: 'No mail server yet', more: '' }
  return { what: mail.elsewhere ?? first.host, more: 'Stays there until you decide to move it.' }
}

const describeSpf = ({ spf }: DnsSetting): Description => {
  if (spf === null) return notKnown
  if (spf.found.length === 0) return { what: 'None yet', more: '' }
  if (spf.found.length > 1)
    return {
      what: `${spf.found.length} records`,
      more: 'Only one is allowed: they will be merged.',
    }
  const isOurs = hasOurs(spf)
  const noServices = isOurs ? 'Only our servers' : 'Authorises no server'
  return {
    what: spf.services.length === 0 ? noServices : listed(spf.services),
    more: isOurs ? 'Our servers are in it.' : 'Kept; our servers are added.',
  }
}

const describeDmarc = ({ dmarc }: DnsSetting): Description => {
  if (dmarc === null) return notKnown
  if (dmarc.isKept)
    return { what: `Policy: ${dmarc.policy ?? 'none'}`, more: `Kept, at ${dmarc.at ?? '_dmarc'}.` }
  if (dmarc.found.length > 0) return { what: 'Has a mistake', more: 'Receivers ignore it.' }
  return { what: 'None yet', more: '' }
}

export type Notes = Partial<Record<RecordPurpose, string>>

/** Lines below the values of records that say which part of the present record stays. */
export function notesFor(setting: DnsSetting | null | undefined, records: readonly DnsRecord[]) {
  const notes: Notes = {}
  const stateOf = (purpose: RecordPurpose) =>
    records.find((record) => record.purpose === purpose)?.state
  const { spf, dmarc } = setting ?? { spf: null, dmarc: null }
  if (spf && spf.services.length > 0)
    notes.spf =
      stateOf('spf') === 'verified'
        ? `Still authorises ${listed(spf.services)}.`
        : spfNote(isFromPresentRecord(stateOf('spf')) ? spf : { ...spf, leftOut: [] })
  if (dmarc?.isKept)
    notes.dmarc = `Your policy (${dmarc.policy ?? 'none'}) stays as it is${dmarc.at ? `, at ${dmarc.at}` : ''}.`
  return notes
}

/** Only in these states the expected value was made from the present record. */
const isFromPresentRecord = (state: DnsRecord['state'] | undefined): boolean =>
  state === 'different' || state === 'conflict'

const spfNote = (spf: NonNullable<DnsSetting['spf']>): string => {
  const keptServices = spf.services.filter((each) => !spf.leftOut.includes(each))
  const ours = hasOurs(spf) ? '' : ` and adds ours: ${spf.added}`
  const keeps =
    keptServices.length > 0 &&
    `Keeps what your present record authorises (${listed(keptServices)})${ours}`
  const leaves = spf.leftOut.length > 0 && `Leaves out ${listed(spf.leftOut)}`
  return [keeps, leaves].filter((each) => each !== false).join('. ')
}

const hasOurs = ({ found, added }: NonNullable<DnsSetting['spf']>): boolean => {
  const words = found.join(' ').toLowerCase().split(/\s+/)
  const ours = added.toLowerCase().split(' ')
  return added !== '' && ours.every((each) => words.includes(each))
}

/** Returns 'a', 'a and b' or 'a, b and c'. */
const listed = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
