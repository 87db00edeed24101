/** Domains with the records that a check left behind, as rows: no key is made and no name server asked. */
import type { RecordPurpose, RecordState } from '#contract/domains.ts'
import { expectedRecords } from '#server/dns/record-kinds.ts'
import { aDomain, type Domain } from '#test-world/builders.ts'
import { MAIL_HOST } from '#test-world/product.ts'
import type { Setting } from './setting.ts'

type States = Partial<Record<RecordPurpose, RecordState>>
type Given = Parameters<typeof aDomain>[1] & {
  states?: States | 'verified'
  /** Its name servers have given no answer for a day; before, all was as `states` says. */
  isSilent?: boolean
}

const SILENCE =
  'its name servers did not answer (ns1.provider.example (192.0.2.53) answered SERVFAIL)'
const DAY_MS = 86_400_000

/** As long as a real one: its value is what wraps. */
const PUBLIC_KEY = 'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA'.padEnd(392, 'x7Q9/')

const faults: Partial<Record<RecordState, { found: string[]; explanation: string; fix: string }>> =
  {
    different: {
      found: ['v=spf1 -all'],
      explanation: 'Another value stands there.',
      fix: 'Change it to the value shown.',
    },
  }

/** Records that are not named wait; nothing is due, so that no check changes them. */
export const aDomainWithRecords = async (setting: Setting, given: Given): Promise<Domain> => {
  const { states = {}, isSilent = false, ...rest } = given
  const now = setting.clock.now()
  const domain = await aDomain(setting, rest)
  const records = expectedRecords({
    ...domain,
    selector: 'ms1',
    publicKey: PUBLIC_KEY,
    spfMechanisms: ['ip4:192.0.2.25'],
    mailHost: 'mail.mailstead.example',
  })
  await setting.db
    .insertInto('domainRecords')
    .values(
      records.map((record) => {
        const state = states === 'verified' ? states : (states[record.purpose] ?? 'waiting')
        const { found = [], ...words } = faults[state] ?? {}
        return {
          ...record,
          ...words,
          domainId: domain.id,
          workspaceId: domain.workspaceId,
          state,
          found: JSON.stringify(state === 'verified' ? [record.value] : found),
          checkedAt: state === 'waiting' && !isSilent ? null : now,
          nextCheckAt: null,
          changedAt: null,
          ...(state === 'verified' && { verifiedAt: new Date(now.getTime() - 2 * DAY_MS) }),
          ...(isSilent && {
            unansweredSince: new Date(now.getTime() - DAY_MS),
            explanation: `This record could not be checked: ${SILENCE}.`,
          }),
        }
      }),
    )
    .execute()
  return domain
}

/** As a check leaves it whose domain has its mail here. */
export const mailComesHere = (setting: Setting, domain: Place) => withMx(setting, domain, MAIL_HOST)

/** As a check leaves it whose domain has its mail at mx1.oldprovider.net. */
export const mailStaysElsewhere = (setting: Setting, domain: Place) =>
  withMx(setting, domain, 'mx1.oldprovider.net')

type Place = Pick<Domain, 'id' | 'workspaceId'>

const withMx = async ({ db, clock }: Setting, place: Place, host: string): Promise<void> => {
  const { id: domainId, workspaceId } = place
  await db
    .insertInto('domainSettings')
    .values({
      ...{ domainId, workspaceId, zone: null, spf: null, dmarc: null },
      ...{ nameServers: '[]', ourSpf: '[]', checkedAt: clock.now() },
      mx: JSON.stringify([{ host, priority: 10 }]),
    })
    .execute()
}
