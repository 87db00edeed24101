/** The other names to look up when a record is missing or wrong. Pure. */
import type { RecordType } from '#server/lib/dns/dns.ts'
import type { Lost } from './record-kind.ts'
import { recordKinds } from './record-kinds.ts'
import type { Seen } from './seen.ts'

export type ProbeKind =
  /** The provider appended the domain once more. */
  | 'doubled'
  | 'elsewhere'
  /** The same name with another type. */
  | 'type'
  /** A name that does not exist: an answer there comes from a wildcard. */
  | 'wildcard'
  /** Whether the domain exists at all. */
  | 'domain'
export type Probe = { kind: ProbeKind; name: string; type: RecordType }
export type Probed = Probe & { seen: Seen }

const UNUSED_LABEL = 'mailstead-wildcard-test'

/** `seen`: the answer at the name itself; `isMissing`: it has no record for us. */
export const probesFor = (lost: Lost, seen: Seen, isMissing: boolean): Probe[] => {
  const { purpose, name, type, domain, zone } = lost
  const at = (kind: ProbeKind, names: string[], of: RecordType = type) =>
    [...new Set(names)]
      .filter((each) => each !== name)
      .map((each) => ({ kind, name: each, type: of }))
  const parent = name.slice(name.indexOf('.') + 1)
  const types = isMissing ? typesFor(lost, seen) : []
  // A wildcard answers for every type; its records were not meant for this name.
  const wildcards =
    name === domain
      ? []
      : [type, ...types].flatMap((of) => at('wildcard', [`${UNUSED_LABEL}.${parent}`], of))
  if (!isMissing) return wildcards
  const appended = [domain, ...(zone !== null && domain.endsWith(`.${zone}`) ? [zone] : [])]
  return [
    { kind: 'domain', name: domain, type: 'SOA' },
    ...at(
      'doubled',
      appended.map((suffix) => `${name}.${suffix}`),
    ),
    ...at('elsewhere', recordKinds[purpose].places(lost)),
    ...types.map((of): Probe => ({ kind: 'type', name, type: of })),
    ...wildcards,
  ]
}

const typesFor = ({ purpose }: Lost, seen: Seen): RecordType[] => {
  const { otherTypes } = recordKinds[purpose]
  if (otherTypes) return otherTypes
  // Our own name has no records of other types when it has a record or does not exist.
  return seen.isNxdomain || seen.records.length > 0 ? [] : ['A', 'MX', 'SPF']
}
