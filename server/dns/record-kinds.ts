/** All that is known of each kind of record; a new kind is declared here, and its words in `web/dns-records/record-text.ts`. */
import { basicPurposes, type RecordPurpose } from '#contract/domains.ts'
import { HOUR_SECONDS } from '#server/lib/clock.ts'
import { expectedDkim, parseDkim } from '#server/standards/dns-records/dkim-record.ts'
import { DEFAULT_DMARC, isDmarc } from '#server/standards/dns-records/dmarc-record.ts'
import { expectedSpf, isSpf } from '#server/standards/dns-records/spf-record.ts'
import { compareDkim } from './compare-dkim.ts'
import { compareDmarc, withInheritedPolicy } from './compare-dmarc.ts'
import { compareMx, MX_PRIORITY } from './compare-mx.ts'
import { compareOwnership, ownershipValue } from './compare-ownership.ts'
import { compareSpf } from './compare-spf.ts'
import type { ExpectedRecord, Lost, Publishing, RecordKind } from './record-kind.ts'
import { valuesIn } from './seen.ts'
import { setUpKinds } from './set-up-kinds.ts'

const labelOf = ({ name, domain }: Lost): string =>
  name.slice(0, Math.max(0, name.length - domain.length - 1))

/** The same label at the zone above a subdomain. */
const atZone = (lost: Lost): string[] => {
  const { domain, zone } = lost
  const label = labelOf(lost)
  return zone !== null && domain.endsWith(`.${zone}`) && label !== '' ? [`${label}.${zone}`] : []
}

/** `wanted`: the SPF record that names only our senders. */
const namesUs = (text: string, wanted: string): boolean => {
  const words = text.toLowerCase().split(' ')
  const ours = wanted.toLowerCase().split(' ').slice(1, -1)
  return ours.every((mechanism) => words.includes(mechanism))
}

const commonSelectors = ['default', 'dkim', 'mail', 'mailstead', 'selector1', 's1']

/** What both kinds of key share. */
const dkimKind = (
  algorithm: 'rsa' | 'ed25519',
): Pick<RecordKind, 'compare' | 'wanted' | 'places' | 'isOurs'> => ({
  compare: (seen, { record, keys }) =>
    compareDkim(
      valuesIn(seen),
      ...([record.name, keys[0]?.publicKey ?? '', keys.slice(1), algorithm] as const),
    ),
  wanted: ({ keys }) => keys[0]?.publicKey ?? '',
  places: (lost) => {
    const { name, domain, selectors } = lost
    const selector = name.slice(0, name.indexOf('.'))
    return [
      ...[`${selector}.domainkey.${domain}`, `${selector}.${domain}`, `_domainkey.${domain}`],
      ...[domain, ...atZone(lost)],
      ...[...selectors, ...commonSelectors].map((each) => `${each}._domainkey.${domain}`),
    ]
  },
  isOurs: (text, wanted) => parseDkim(text)?.publicKey === wanted,
})

/** SPF and DMARC as for a domain without any; a check replaces them by what it proposes. */
export const recordKinds: Record<RecordPurpose, RecordKind> = {
  ownership: {
    ...{ position: 0, type: 'TXT', isRequired: true },
    expected: ({ name, ownershipToken }) => ({
      name: `_mailstead.${name}`,
      value: ownershipValue(ownershipToken),
    }),
    compare: (seen, { record }) => compareOwnership(valuesIn(seen), record.name, record.value),
    places: (lost) => [
      ...[lost.domain, `mailstead.${lost.domain}`],
      ...[`${labelOf(lost)}.www.${lost.domain}`, `@.${lost.domain}`, ...atZone(lost)],
    ],
    isOurs: (text, wanted) => text.includes(wanted),
  },
  spf: {
    ...{ position: 1, type: 'TXT', isRequired: true },
    expected: ({ name, spfMechanisms }) => ({ name, value: expectedSpf([], spfMechanisms) }),
    compare: (seen, { record, mailHost, senders, lookUp }) => {
      const pieces = seen.records.map(({ strings }) => strings ?? [])
      return compareSpf(valuesIn(seen), { name: record.name, mailHost, senders, lookUp, pieces })
    },
    places: ({ domain }) => [`@.${domain}`, `www.${domain}`, `_spf.${domain}`, `spf.${domain}`],
    otherTypes: ['SPF'],
    // A name such as www may have an SPF record of its own.
    isOurs: (text, wanted, isSurelyMeant) =>
      isSpf(text) && (isSurelyMeant || namesUs(text, wanted)),
  },
  dkim: {
    ...{ position: 2, type: 'TXT', isRequired: true },
    expected: ({ name, selector, publicKey }) => ({
      name: `${selector}._domainkey.${name}`,
      value: expectedDkim('rsa', publicKey),
    }),
    ...dkimKind('rsa'),
  },
  dmarc: {
    ...{ position: 3, type: 'TXT', isRequired: true },
    expected: ({ name }) => ({ name: `_dmarc.${name}`, value: DEFAULT_DMARC }),
    compare: (seen, asked) =>
      withInheritedPolicy(asked, compareDmarc(valuesIn(seen), asked.record.name)),
    places: ({ domain }) => [domain, `dmarc.${domain}`],
    isOurs: isDmarc,
  },
  mx: {
    ...{ position: 4, type: 'MX', priority: MX_PRIORITY, isRequired: false },
    expected: ({ name, mailHost }) => ({ name, value: mailHost }),
    compare: (seen, { record, mailHost }) => compareMx(seen.records, record.name, mailHost),
    wanted: ({ mailHost }) => mailHost,
    places: ({ domain }) => [
      ...[domain, `@.${domain}`, `www.${domain}`],
      ...[`mail.${domain}`, `mx.${domain}`],
    ],
    otherTypes: ['TXT'],
    isOurs: (text, wanted) => text.toLowerCase() === wanted.toLowerCase(),
  },
  'dkim-ed25519': {
    ...{ position: 9, type: 'TXT', isRequired: false },
    expected: ({ name, secondKey }) =>
      secondKey
        ? {
            name: `${secondKey.selector}._domainkey.${name}`,
            value: expectedDkim('ed25519', secondKey.publicKey),
          }
        : null,
    ...dkimKind('ed25519'),
  },
  ...setUpKinds,
}

/** The records of these kinds, in the order of the kinds. */
export const expectedRecords = (
  domain: Publishing,
  purposes: readonly RecordPurpose[] = basicPurposes,
): ExpectedRecord[] =>
  purposes.flatMap((purpose) => {
    const { position, type, priority = null, isRequired, expected } = recordKinds[purpose]
    const at = expected(domain)
    if (at === null) return []
    return [{ purpose, position, type, ...at, ttl: HOUR_SECONDS, priority, isRequired }]
  })
