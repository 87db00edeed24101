/** The DNS state of domains at their last check. */
import { type Selectable, sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import type { DomainSettingsTable } from '#server/storage/rows/domain-tables.ts'

type SettingRow = Selectable<DomainSettingsTable>

/** null: this check got no answer, or there was no check yet. */
export type SettingFacts = Pick<
  SettingRow,
  'zone' | 'nameServers' | 'mx' | 'spf' | 'ourSpf' | 'dmarc'
>

export type DomainSetting = {
  name: string
  /** null: never checked. */
  facts: SettingFacts | null
  checkedAt: Date | null
  /** The earliest next check of its records. */
  nextCheckAt: Date | null
  /** The SPF record that we propose. */
  proposedSpf: string
}

type Key = { id: string; workspaceId: string }

/** undefined: the workspace has no such domain. */
export const readSetting = async (
  db: Db,
  { id, workspaceId }: Key,
): Promise<DomainSetting | undefined> => {
  const row = await db
    .selectFrom('domains')
    .leftJoin('domainSettings', (join) =>
      join
        .onRef('domainSettings.domainId', '=', 'domains.id')
        .onRef('domainSettings.workspaceId', '=', 'domains.workspaceId'),
    )
    .innerJoinLateral(
      (of) =>
        of
          .selectFrom('domainRecords')
          .select(({ fn }) => fn.min('nextCheckAt').as('nextCheckAt'))
          // Together with this max(), the planner does not search min(next_check_at) through the index of all domains.
          .select(sql<string>`max(value) filter (where purpose = 'spf')`.as('proposedSpf'))
          .whereRef('domainRecords.domainId', '=', 'domains.id')
          .as('records'),
      (join) => join.onTrue(),
    )
    .select(['domains.name', 'zone', 'nameServers', 'mx', 'spf', 'ourSpf', 'dmarc', 'checkedAt'])
    .select(['records.nextCheckAt', 'records.proposedSpf'])
    .where('domains.id', '=', id)
    .where('domains.workspaceId', '=', workspaceId)
    .where('domains.endsAt', 'is', null)
    .executeTakeFirst()
  if (!row) return undefined
  const { name, checkedAt, nextCheckAt, proposedSpf, ...stored } = row
  const facts =
    checkedAt === null
      ? null
      : { ...stored, nameServers: stored.nameServers ?? [], ourSpf: stored.ourSpf ?? [] }
  return { name, facts, checkedAt, nextCheckAt, proposedSpf }
}

/**
 * Facts that are null keep their stored value. Returns whether anything changed; an older check than the stored one changes
 * nothing. The caller has locked the domain.
 */
export const writeSetting = async (
  db: Db,
  { id, workspaceId }: Key,
  facts: SettingFacts,
  checkedAt: Date,
): Promise<boolean> => {
  const before = await db
    .selectFrom('domainSettings')
    .select(['zone', 'nameServers', 'mx', 'spf', 'ourSpf', 'dmarc', 'checkedAt'])
    .where('domainId', '=', id)
    .where('workspaceId', '=', workspaceId)
    .executeTakeFirst()
  if (before && before.checkedAt > checkedAt) return false
  const after: SettingFacts = {
    zone: facts.zone ?? before?.zone ?? null,
    nameServers: facts.nameServers.length > 0 ? facts.nameServers : (before?.nameServers ?? []),
    mx: facts.mx ?? before?.mx ?? null,
    spf: facts.spf ?? before?.spf ?? null,
    ourSpf: facts.ourSpf,
    dmarc: facts.dmarc ?? before?.dmarc ?? null,
  }
  const row = {
    zone: after.zone,
    nameServers: JSON.stringify(after.nameServers),
    mx: jsonOrNull(after.mx),
    spf: jsonOrNull(after.spf),
    ourSpf: JSON.stringify(after.ourSpf),
    dmarc: jsonOrNull(after.dmarc),
    checkedAt,
  }
  await db
    .insertInto('domainSettings')
    .values({ ...row, domainId: id, workspaceId })
    .onConflict((conflict) =>
      conflict.constraint('domain_settings_pkey').doUpdateSet({ ...row, workspaceId }),
    )
    .execute()
  return before === undefined || keyOf(before) !== keyOf(after)
}

const jsonOrNull = (value: unknown): string | null =>
  value === null ? null : JSON.stringify(value)

/** For comparing: PostgreSQL does not keep the order of JSON keys. */
const keyOf = ({ zone, nameServers, mx, spf, ourSpf, dmarc }: SettingFacts): string =>
  JSON.stringify([
    zone,
    nameServers,
    mx?.map(({ host, priority }) => [host, priority]),
    spf,
    ourSpf,
    dmarc && [dmarc.found, dmarc.policy, dmarc.at],
  ])
