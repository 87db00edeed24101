/** The DNS provider and mail provider of a domain and its present records, as the last check stored them. */
import type { DnsSetting } from '#contract/dns/setting.ts'
import type { RecordPurpose } from '#contract/domains.ts'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { providerOf } from '#server/dns/providers.ts'
import { elsewhereOf, presentMail, receivingChanges } from '#server/dns/receiving-changes.ts'
import { leftOutOf, servicesIn } from '#server/dns/spf-services.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { lockDomain } from '#server/features/domains/domain-queries.ts'
import { readRecords, updateRecord } from '#server/features/domains/record-queries.ts'
import { sendersOf, spfLookUp } from '#server/features/domains/senders.ts'
import { settingFacts } from '#server/features/domains/setting-facts.ts'
import {
  type DomainSetting,
  readSetting,
  type SettingFacts,
} from '#server/features/domains/setting-queries.ts'
import { storeSetting } from '#server/features/domains/store-setting.ts'
import { catchAllOf, countReceiving } from '#server/features/mailboxes/mailbox-queries.ts'
import type { LookUpMemo } from '#server/lib/dns/dns.ts'
import { isId } from '#server/lib/ids.ts'
import { within } from '#server/lib/wait.ts'
import { expectedSpf } from '#server/standards/dns-records/spf-record.ts'
import type { Db } from '#server/storage/database.ts'
import { runInTurn } from './check-domain.ts'

export const dnsSetting = async (
  app: App,
  who: Pick<Who, 'workspaceId'>,
  domainId: string,
): Promise<DnsSetting> => toDnsSetting(await settingOf(app, who, domainId), app.config.mailHost)

/** `mailboxes`: number of mailboxes that receive mail. */
type Setting = DomainSetting & { mailboxes: number; catchAll: string | null }

/**
 * Makes look-ups only when this domain was never checked, for at most 3 s.
 * @throws NOT_EXISTS
 */
export const settingOf = async (
  app: App,
  { workspaceId }: Pick<Who, 'workspaceId'>,
  id: string,
): Promise<Setting> => {
  const read = () => (isId(id) ? readSetting(app.db, { id, workspaceId }) : undefined)
  const stored = await read()
  if (!stored) throw new AppError('NOT_EXISTS')
  const [mailboxes, catchAll] = await Promise.all([
    countReceiving(app.db, id),
    catchAllOf(app.db, id),
  ])
  if (stored.facts !== null) return { ...stored, mailboxes, catchAll }
  await lookAtSetting(app, { id, workspaceId, name: stored.name })
  const looked = await read()
  if (!looked) throw new AppError('NOT_EXISTS')
  return { ...looked, mailboxes, catchAll }
}

const LIMIT_MS = 3000
/** The part of LIMIT_MS that is left for look-ups that depend on the first answers. */
const AFTERWARDS_MS = 500

/**
 * Looks up a domain before its first check, for a page that is opened right after adding it.
 * An empty result is stored too, so that the next request does not look up again but waits for the check.
 */
export const lookAtSetting = async (
  app: App,
  { id, workspaceId, name }: { id: string; workspaceId: string; name: string },
): Promise<void> => {
  const askedAt = app.clock.now()
  const facts = await look(app, { workspaceId, name }, Date.now() + LIMIT_MS)
  await app.db.transaction().execute(async (tx) => {
    const domain = await lockDomain(tx, workspaceId, id)
    if (!domain) return
    await storeSetting(tx, domain, facts, askedAt)
    await storeProposedValues(tx, domain, facts)
  })
}

/** Stores proposed values that keep the entries found; the first check will store its own. */
const storeProposedValues = async (
  tx: Db,
  domain: { id: string; workspaceId: string },
  { spf, ourSpf, dmarc }: SettingFacts,
): Promise<void> => {
  const records = await readRecords(tx, domain.workspaceId, domain.id)
  const isUnchecked = (purpose: RecordPurpose) =>
    records.some((row) => row.purpose === purpose && row.state === 'waiting' && !row.checkedAt)
  if (spf !== null && spf.length > 0 && ourSpf.length > 0 && isUnchecked('spf'))
    await updateRecord(tx, domain, 'spf', { value: expectedSpf(spf, ourSpf) })
  const [policy] = dmarc?.found ?? []
  if (policy !== undefined && dmarc?.policy && isUnchecked('dmarc'))
    await updateRecord(tx, domain, 'dmarc', { value: policy })
}

const look = async (
  app: App,
  { workspaceId, name }: { workspaceId: string; name: string },
  giveUpAtMs: number,
): Promise<SettingFacts> => {
  const memo: LookUpMemo = new Map()
  const seenAtMs = giveUpAtMs - AFTERWARDS_MS
  const observe = (at: string, type: 'TXT' | 'MX') =>
    within(seenAtMs, app.dns.observe(at, type, memo), null)
  const seen = await runInTurn(workspaceId, seenAtMs, () =>
    Promise.all([
      within(seenAtMs, sendersOf(app), unknownSenders),
      observe(name, 'TXT'),
      observe(name, 'MX'),
      observe(`_dmarc.${name}`, 'TXT'),
    ]),
  )
  const [senders, txt, mx, dmarc] = seen ?? [unknownSenders, null, null, null]
  const lookUp = spfLookUp(app, giveUpAtMs)
  const asked = { domain: name, ourSpf: senders.mechanisms, lookUp, memo, giveUpAtMs }
  return settingFacts({ txt, mx, dmarc }, asked)
}

const unknownSenders = { ips: null, mechanisms: [] }

const toDnsSetting = (setting: Setting, mailHost: string): DnsSetting => {
  const { name, facts, checkedAt, nextCheckAt, proposedSpf, mailboxes, catchAll } = setting
  const zone = facts?.zone ?? null
  const nameServers = facts?.nameServers ?? []
  const mx = facts?.mx ?? null
  return {
    zone,
    nameServers,
    provider: providerOf(nameServers, zone),
    mail: mx && toPresentMail(mx, mailHost),
    spf: facts?.spf
      ? {
          found: facts.spf,
          services: servicesIn(facts.spf, facts.ourSpf),
          leftOut: leftOutOf(facts.spf, proposedSpf),
          merged: proposedSpf,
          added: facts.ourSpf.join(' '),
        }
      : null,
    dmarc: facts?.dmarc ? { ...facts.dmarc, isKept: facts.dmarc.policy !== null } : null,
    receiving: {
      changes: mx
        ? receivingChanges({ domain: name, hosts: mx, mailHost, mailboxes, catchAll })
        : [],
    },
    checkedAt: checkedAt?.toISOString() ?? null,
    nextCheckAt: nextCheckAt?.toISOString() ?? null,
  }
}

const toPresentMail = (mx: Parameters<typeof presentMail>[0], mailHost: string) => {
  const mail = presentMail(mx, mailHost)
  const { hosts, service, isOurs, hasNullMx } = mail
  return { hosts, service: service?.name ?? null, elsewhere: elsewhereOf(mail), isOurs, hasNullMx }
}
