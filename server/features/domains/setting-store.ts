/** What domains looked like in DNS when they were last looked at. */
import { type Selectable, sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'
import type { DomainSettingsTable } from '#server/storage/rows/domain-tables.ts'

type SettingRow = Selectable<DomainSettingsTable>

/** null: not learnt this time, or never. */
export type SettingFacts = Pick<
  SettingRow,
  'zone' | 'nameServers' | 'mx' | 'spf' | 'ourSpf' | 'dmarc'
>

export type DomainSetting = {
  name: string
  /** null: nobody has looked yet. */
  facts: SettingFacts | null
  checkedAt: Date | null
  /** Of its records, the earliest. */
  nextCheckAt: Date | null
  /** The SPF record that we propose. */
  proposedSpf: string
  /** How many take mail. */
  mailboxes: number
}

type Key = { id: string; workspaceId: string }

/** One query, whatever is stored; undefined when the workspace has no such domain. */
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
          // Beside it, the least date is not looked for among the records of all domains.
          .select(sql<string>`max(value) filter (where purpose = 'spf')`.as('proposedSpf'))
          .whereRef('domainRecords.domainId', '=', 'domains.id')
          .as('records'),
      (join) => join.onTrue(),
    )
    .select(['domains.name', 'zone', 'nameServers', 'mx', 'spf', 'ourSpf', 'dmarc', 'checkedAt'])
    .select(['records.nextCheckAt', 'records.proposedSpf'])
    .select((of) => [
      of
        .selectFrom('mailboxes')
        .select(sql<number>`count(*)`.as('count'))
        .whereRef('mailboxes.domainId', '=', 'domains.id')
        .where('mailboxes.status', 'in', ['active', 'suspended'])
        .$asScalar()
        .$notNull()
        .as('mailboxes'),
    ])
    .where('domains.id', '=', id)
    .where('domains.workspaceId', '=', workspaceId)
    .executeTakeFirst()
  if (!row) return undefined
  const { name, checkedAt, nextCheckAt, proposedSpf, mailboxes, ...stored } = row
  const facts =
    checkedAt === null
      ? null
      : { ...stored, nameServers: stored.nameServers ?? [], ourSpf: stored.ourSpf ?? [] }
  return { name, facts, checkedAt, nextCheckAt, proposedSpf, mailboxes }
}

/**
 * What was not learnt this time stays as it was. Answers whether anything changed; an older look than the stored one
 * changes nothing. The domain is locked before.
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
    .onConflict((conflict) => conflict.column('domainId').doUpdateSet({ ...row, workspaceId }))
    .execute()
  return before === undefined || keyOf(before) !== keyOf(after)
}

const jsonOrNull = (value: unknown): string | null =>
  value === null ? null : JSON.stringify(value)

/** PostgreSQL keeps the keys of JSON in an order of its own. */
const keyOf = ({ zone, nameServers, mx, spf, ourSpf, dmarc }: SettingFacts): string =>
  JSON.stringify([
    zone,
    nameServers,
    mx?.map(({ host, priority }) => [host, priority]),
    spf,
    ourSpf,
    dmarc && [dmarc.found, dmarc.policy, dmarc.at],
  ])
