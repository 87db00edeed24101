/** What stands in DNS before anything is changed, in the words of the page. Pure. */
import type { DnsSetting } from '#contract/dns/setting.ts'
import type { DnsRecord, RecordPurpose } from '#contract/domains.ts'

export type Fact = {
  kind: 'dns' | 'mail' | 'spf' | 'dmarc'
  term: string
  what: string
  /** What becomes of it, or more of it. */
  more: string
}

export const factsIn = (setting: DnsSetting): Fact[] => [
  { kind: 'dns', term: 'DNS', ...dnsIn(setting) },
  { kind: 'mail', term: 'Mail', ...mailIn(setting) },
  { kind: 'spf', term: 'SPF', ...spfIn(setting) },
  { kind: 'dmarc', term: 'DMARC', ...dmarcIn(setting) },
]

type Words = { what: string; more: string }

const notKnown: Words = { what: 'Not known yet', more: 'DNS has not answered yet.' }

const dnsIn = ({ provider, nameServers }: DnsSetting): Words => {
  const [first, ...others] = nameServers
  if (first === undefined) return { what: 'No name servers found', more: '' }
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  return { what: provider?.name ?? 'A provider we do not know', more: `${first}${more}` }
}

const mailIn = ({ mail }: DnsSetting): Words => {
  if (mail === null) return notKnown
  const [first] = mail.hosts
  if (mail.isOurs) return { what: 'Already comes here', more: first?.host ?? '' }
  if (mail.hasNullMx) return { what: 'Takes no mail', more: 'A null MX record says so.' }
  if (first === undefined) return { what: 'No mail server yet', more: '' }
  return { what: mail.elsewhere ?? first.host, more: 'Stays there until you decide to move it.' }
}

const spfIn = ({ spf }: DnsSetting): Words => {
  if (spf === null) return notKnown
  if (spf.found.length === 0) return { what: 'None yet', more: '' }
  if (spf.found.length > 1)
    return {
      what: `${spf.found.length} records`,
      more: 'Only one is allowed: they will be merged.',
    }
  const isOurs = hasOurs(spf)
  const nobody = isOurs ? 'Only our servers' : 'Authorises nobody'
  return {
    what: spf.services.length === 0 ? nobody : listed(spf.services),
    more: isOurs ? 'Our servers are in it.' : 'Kept; our servers are added.',
  }
}

const dmarcIn = ({ dmarc }: DnsSetting): Words => {
  if (dmarc === null) return notKnown
  if (dmarc.isKept)
    return { what: `Policy: ${dmarc.policy ?? 'none'}`, more: `Kept, at ${dmarc.at ?? '_dmarc'}.` }
  if (dmarc.found.length > 0) return { what: 'Has a mistake', more: 'Receivers ignore it.' }
  return { what: 'None yet', more: '' }
}

export type Notes = Partial<Record<RecordPurpose, string>>

/** Lines below the values of records: what of the present ones is kept. */
export function notesFor(setting: DnsSetting | null | undefined, records: readonly DnsRecord[]) {
  const notes: Notes = {}
  const stateOf = (purpose: RecordPurpose) =>
    records.find((record) => record.purpose === purpose)?.state
  const { spf, dmarc } = setting ?? { spf: null, dmarc: null }
  if (spf && spf.services.length > 0)
    notes.spf =
      stateOf('spf') === 'verified'
        ? `Still authorises ${listed(spf.services)}.`
        : spfNote(isJudged(stateOf('spf')) ? spf : { ...spf, leftOut: [] })
  if (dmarc?.isKept)
    notes.dmarc = `Your policy (${dmarc.policy ?? 'none'}) stays as it is${dmarc.at ? `, at ${dmarc.at}` : ''}.`
  return notes
}

/** Only then the value beside the note was made from the record that is there. */
const isJudged = (state: DnsRecord['state'] | undefined): boolean =>
  state === 'different' || state === 'conflict'

const spfNote = (spf: NonNullable<DnsSetting['spf']>): string => {
  const kept = spf.services.filter((each) => !spf.leftOut.includes(each))
  const ours = hasOurs(spf) ? '' : ` and adds ours: ${spf.added}`
  const keeps =
    kept.length > 0 && `Keeps what your present record authorises (${listed(kept)})${ours}`
  const leaves = spf.leftOut.length > 0 && `Leaves out ${listed(spf.leftOut)}`
  return [keeps, leaves].filter((each) => each !== false).join('. ')
}

const hasOurs = ({ found, added }: NonNullable<DnsSetting['spf']>): boolean => {
  const words = found.join(' ').toLowerCase().split(/\s+/)
  const ours = added.toLowerCase().split(' ')
  return added !== '' && ours.every((each) => words.includes(each))
}

/** 'a', 'a and b', 'a, b and c'. */
const listed = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
