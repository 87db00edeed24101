/** Looks at a domain before its first check, for the page that is opened at once. */
import type { RecordPurpose } from '#contract/domains.ts'
import type { App } from '#server/app.ts'
import { lockDomain } from '#server/features/domains/domains-store.ts'
import { readRecords, updateRecord } from '#server/features/domains/records-store.ts'
import { sendersOf, spfLookUp } from '#server/features/domains/senders.ts'
import { settingFacts } from '#server/features/domains/setting-facts.ts'
import type { SettingFacts } from '#server/features/domains/setting-store.ts'
import { storeSetting } from '#server/features/domains/store-setting.ts'
import type { LookUpMemo } from '#server/lib/dns/dns.ts'
import { within } from '#server/lib/dns/within.ts'
import { expectedSpf } from '#server/standards/dns-records/spf-record.ts'
import type { Db } from '#server/storage/database.ts'
import { inTurn } from './check-domain.ts'

const LIMIT_MS = 3000
/** Of it for what follows from the first answers. */
const AFTERWARDS_MS = 500

/** Stores also that nothing was learnt, so that the next who asks waits for the checks instead. */
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
    await proposeWhatKeeps(tx, domain, facts)
  })
}

/** Until the first check, the records that are asked for already keep what is there. */
const proposeWhatKeeps = async (
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
  const seen = await inTurn(workspaceId, seenAtMs, () =>
    Promise.all([
      within(seenAtMs, sendersOf(app), nobody),
      observe(name, 'TXT'),
      observe(name, 'MX'),
      observe(`_dmarc.${name}`, 'TXT'),
    ]),
  )
  const [senders, txt, mx, dmarc] = seen ?? [nobody, null, null, null]
  const lookUp = spfLookUp(app, giveUpAtMs)
  const asked = { domain: name, ourSpf: senders.mechanisms, lookUp, memo, giveUpAtMs }
  return settingFacts({ txt, mx, dmarc }, asked)
}

const nobody = { ips: null, mechanisms: [] }
