/** Which further names are worth a look when a record is not where it should be. Pure. */
import type { RecordPurpose } from '#contract/domains.ts'
import type { RecordType } from '#server/lib/dns/dns.ts'
import type { Seen } from './seen.ts'

export type ProbeKind =
  /** The provider appended the domain once more. */
  | 'doubled'
  | 'elsewhere'
  /** The same name with another type. */
  | 'type'
  /** A name that nobody made: what answers there is a wildcard. */
  | 'wildcard'
  /** Does the domain exist at all? */
  | 'domain'
export type Probe = { kind: ProbeKind; name: string; type: RecordType }
export type Probed = Probe & { seen: Seen }

type Wanted = {
  purpose: RecordPurpose
  name: string
  type: RecordType
  domain: string
  /** The zone that the domain is in, where known. */
  zone: string | null
  /** Other selectors under which our key may stand. */
  selectors: readonly string[]
}

const NOBODYS_LABEL = 'mailstead-wildcard-test'
const commonSelectors = ['default', 'dkim', 'mail', 'mailstead', 'selector1', 's1']

/** `seen` is what stands at the name itself; `isMissing`: nothing of it is meant for us. */
export const probesFor = (wanted: Wanted, seen: Seen, isMissing: boolean): Probe[] => {
  const { name, type, domain, zone } = wanted
  const at = (kind: ProbeKind, names: string[], of: RecordType = type) =>
    [...new Set(names)]
      .filter((each) => each !== name)
      .map((each) => ({ kind, name: each, type: of }))
  const parent = name.slice(name.indexOf('.') + 1)
  const types = isMissing ? typesFor(wanted, seen) : []
  // A wildcard answers for every type; what comes from it was not meant for this name.
  const wildcards =
    name === domain
      ? []
      : [type, ...types].flatMap((of) => at('wildcard', [`${NOBODYS_LABEL}.${parent}`], of))
  if (!isMissing) return wildcards
  const appended = [domain, ...(zone !== null && domain.endsWith(`.${zone}`) ? [zone] : [])]
  return [
    { kind: 'domain', name: domain, type: 'SOA' },
    ...at(
      'doubled',
      appended.map((suffix) => `${name}.${suffix}`),
    ),
    ...at('elsewhere', placesFor(wanted)),
    ...types.map((of): Probe => ({ kind: 'type', name, type: of })),
    ...wildcards,
  ]
}

/** Where people put it instead: without the label or its underscore, at the apex, at www, at '@' as a word. */
const placesFor = ({ purpose, name, domain, zone, selectors }: Wanted): string[] => {
  const apexes = [domain, `@.${domain}`, `www.${domain}`]
  const label = name.slice(0, Math.max(0, name.length - domain.length - 1))
  const atZone =
    zone !== null && domain.endsWith(`.${zone}`) && label !== '' ? [`${label}.${zone}`] : []
  switch (purpose) {
    case 'ownership':
      return [domain, `mailstead.${domain}`, `${label}.www.${domain}`, `@.${domain}`, ...atZone]
    case 'spf':
      return [`@.${domain}`, `www.${domain}`, `_spf.${domain}`, `spf.${domain}`]
    case 'dmarc':
      return [domain, `dmarc.${domain}`]
    case 'mx':
      return [...apexes, `mail.${domain}`, `mx.${domain}`]
    case 'dkim':
    case 'dkim-ed25519': {
      const selector = name.slice(0, name.indexOf('.'))
      const others = [...selectors, ...commonSelectors].map(
        (each) => `${each}._domainkey.${domain}`,
      )
      const slips = [`${selector}.domainkey`, selector, '_domainkey'].map(
        (each) => `${each}.${domain}`,
      )
      return [...slips, domain, ...atZone, ...others]
    }
  }
}

const typesFor = ({ purpose }: Wanted, seen: Seen): RecordType[] => {
  if (purpose === 'spf') return ['SPF']
  if (purpose === 'mx') return ['TXT']
  // At a name of our own making nothing else belongs.
  return seen.isNxdomain || seen.records.length > 0 ? [] : ['A', 'MX', 'SPF']
}
