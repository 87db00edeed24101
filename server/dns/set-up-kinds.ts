/** The records by which mail programs set themselves up, and those for TLS between mail servers. All are optional (decision 100). */
import type { OptionalPurpose } from '#contract/domains.ts'
import { tlsRptRecord } from '#server/standards/dns-records/tls-rpt-record.ts'
import { stsRecord } from '#server/standards/mta-sts.ts'
import type { MailServer } from '#server/standards/set-up/mail-server.ts'
import { paccJson, paccRecord } from '#server/standards/set-up/pacc.ts'
import {
  compareAlias,
  compareSrv,
  compareSts,
  compareText,
  compareTlsRpt,
} from './compare-set-up.ts'
import type { Publishing, RecordKind } from './record-kind.ts'

/** Nobody puts these in a wrong place by one of the slips that are known. */
const plain = { isRequired: false, places: () => [], otherTypes: [], isOurs: () => false }

type Ports = 'imapsPort' | 'imapPort' | 'submissionsPort' | 'submissionPort'

/** RFC 6186 and RFC 8314 §5.1: TLS from the first byte is preferred. */
const srv = (
  position: number,
  service: string,
  priority: 0 | 10,
  port: keyof MailServer & Ports,
): RecordKind => ({
  ...plain,
  ...{ position, type: 'SRV' },
  expected: ({ name, setUp }) =>
    setUp
      ? {
          name: `_${service}._tcp.${name}`,
          value: `${priority} 1 ${setUp.mailServer[port]} ${setUp.mailServer.host}`,
        }
      : null,
  compare: compareSrv,
})

/** A host of the domain where our web server answers; it has no such name when it is known by its address alone. */
const alias = (position: number, host: string): RecordKind => ({
  ...plain,
  ...{ position, type: 'CNAME' },
  expected: ({ name, setUp }) =>
    setUp && setUp.webHost !== null ? { name: `${host}.${name}`, value: setUp.webHost } : null,
  compare: compareAlias,
})

const text = (
  position: number,
  expected: (domain: Publishing) => { name: string; value: string } | null,
  compare: RecordKind['compare'],
): RecordKind => ({ ...plain, ...{ position, type: 'TXT', expected, compare } })

export const setUpKinds: Record<Exclude<OptionalPurpose, 'dkim-ed25519'>, RecordKind> = {
  'srv-imaps': srv(10, 'imaps', 0, 'imapsPort'),
  'srv-submissions': srv(11, 'submissions', 0, 'submissionsPort'),
  'srv-imap': srv(12, 'imap', 10, 'imapPort'),
  'srv-submission': srv(13, 'submission', 10, 'submissionPort'),
  autoconfig: alias(14, 'autoconfig'),
  autodiscover: alias(15, 'autodiscover'),
  pacc: alias(16, 'ua-auto-config'),
  'pacc-digest': text(
    17,
    ({ name, setUp }) => {
      const json = setUp && setUp.webHost !== null ? paccJson(setUp.mailServer) : null
      return json === null ? null : { name: `_ua-auto-config.${name}`, value: paccRecord(json) }
    },
    compareText,
  ),
  'mta-sts-host': alias(18, 'mta-sts'),
  'mta-sts': text(
    19,
    ({ name, setUp, mailHost }) =>
      setUp && setUp.webHost !== null
        ? { name: `_mta-sts.${name}`, value: stsRecord('testing', mailHost) }
        : null,
    compareSts,
  ),
  'tls-rpt': text(
    20,
    ({ name, setUp }) =>
      setUp ? { name: `_smtp._tls.${name}`, value: tlsRptRecord(`postmaster@${name}`) } : null,
    compareTlsRpt,
  ),
}
