/** Counts over the workspaces of one user. Reads only. */
import { sql } from 'kysely'
import type { Role } from '#contract/rights.ts'
import { invoiceRows } from '#server/features/billing/billing-queries.ts'
import { domainRows } from '#server/features/domains/domain-queries.ts'
import { recordRows } from '#server/features/domains/record-queries.ts'
import { isToDo } from '#server/features/domains/work-queries.ts'
import { mailboxRows } from '#server/features/mailboxes/mailbox-queries.ts'
import { memberRows, workspaceRows } from '#server/features/tenants/workspace-queries.ts'
import type { Db } from '#server/storage/database.ts'

type FiguresRow = {
  id: string
  name: string
  role: Role
  quotaBytes: number
  domains: number
  activeDomains: number
  domainsToDo: number
  mailboxes: number
  activeMailboxes: number
  suspendedMailboxes: number
  usedBytes: number
  members: number
  monthCents: number
  dueCents: number
  dueInvoices: number
}

/** One query for all of them: each part is found by its index, workspace by workspace. */
export const readWorkspaceFigures = async (
  db: Db,
  userId: string,
  monthStart: Date,
): Promise<FiguresRow[]> => (await figuresQuery(db, userId, monthStart).execute(db)).rows

const hasMailboxes = (db: Db) => sql<boolean>`exists (
  select from ${mailboxRows(db)} own where own.domain_id = domains.id and own.ends_at is null)`

/** Exported, so that a test can check its query plan. */
export const figuresQuery = (db: Db, userId: string, monthStart: Date) => sql<FiguresRow>`
  select w.id, w.name, w.storage_quota_bytes as quota_bytes, m.role,
    d.domains, d.active_domains, r.domains_to_do,
    b.mailboxes, b.active_mailboxes, b.suspended_mailboxes, b.used_bytes, p.members,
    i.month_cents, i.due_cents, i.due_invoices
  from ${memberRows(db)} m
    join ${workspaceRows(db)} w on w.id = m.workspace_id
    cross join lateral (
      select count(*) as domains, count(*) filter (where is_active) as active_domains
      from ${domainRows(db)} domains where domains.workspace_id = w.id and domains.ends_at is null
    ) d
    cross join lateral (
      select count(*) as domains_to_do
      from ${domainRows(db)} domains
      where domains.workspace_id = w.id and domains.ends_at is null and coalesce((
        select bool_or(${isToDo('records', hasMailboxes(db))})
        from ${recordRows(db)} records where records.domain_id = domains.id), true)
    ) r
    cross join lateral (
      select count(*) as mailboxes,
        count(*) filter (where status = 'active') as active_mailboxes,
        count(*) filter (where status = 'suspended') as suspended_mailboxes,
        coalesce(sum(used_bytes), 0)::bigint as used_bytes
      from ${mailboxRows(db)} mailboxes
      where mailboxes.workspace_id = w.id and mailboxes.ends_at is null
    ) b
    cross join lateral (
      select count(*) as members from ${memberRows(db)} others where others.workspace_id = w.id
    ) p
    cross join lateral (
      select coalesce(sum(amount_cents) filter (where period_start = ${monthStart}), 0)::bigint as month_cents,
        coalesce(sum(amount_cents - credited_cents) filter (where status = 'Due'), 0)::bigint as due_cents,
        count(*) filter (where status = 'Due') as due_invoices
      from ${invoiceRows(db)} invoices where invoices.workspace_id = w.id
    ) i
  where m.user_id = ${userId}
  order by m.created_at, w.id`
