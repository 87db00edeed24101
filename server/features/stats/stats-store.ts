/** Counts over the rows of one workspace. Reads only. */
import { sql } from 'kysely'
import { domainRows } from '#server/features/domains/domain-queries.ts'
import { recordRows } from '#server/features/domains/record-queries.ts'
import { isNotRight } from '#server/features/domains/work-queries.ts'
import { mailboxRows } from '#server/features/mailboxes/mailbox-queries.ts'
import { messageRows } from '#server/features/messages/message-queries.ts'
import { workspaceRows } from '#server/features/tenants/workspace-queries.ts'
import type { Db } from '#server/storage/database.ts'

export type Figures = {
  domains: number
  activeDomains: number
  dnsVerified: number
  dnsFailed: number
  needWork: number
  mailboxes: number
  activeMailboxes: number
  suspendedMailboxes: number
  domainsInUse: number
  slots: number
  usedBytes: number
  quotaBytes: number
  messagesToday: number
  messagesYesterday: number
}

export type FiguresAsked = {
  /** Limit of mailboxes of a domain that has none of its own. */
  limit: number
  /** Starts of these days. */
  yesterday: Date
  today: Date
  tomorrow: Date
}

/** Drafts are no messages yet. What was deleted uses storage until it ends, and is not counted otherwise. One query, since every dashboard page asks for it. */
export const readFigures = async (
  db: Db,
  workspaceId: string,
  { limit, yesterday, today, tomorrow }: FiguresAsked,
): Promise<Figures | undefined> => {
  const { rows } = await sql<Figures>`
    with mailbox_counts as (
      select domain_id, count(*) filter (where ends_at is null) as total,
        count(*) filter (where status = 'active' and ends_at is null) as active,
        count(*) filter (where status = 'suspended' and ends_at is null) as suspended,
        sum(used_bytes) as used_bytes
      from ${mailboxRows(db)} mailboxes where workspace_id = ${workspaceId} group by domain_id
    ), record_states as (
      select domain_id,
        bool_and(state = 'verified') as is_verified,
        bool_or(state in ('different', 'conflict')) as is_failed,
        bool_or(${isNotRight('domain_records')}) as is_work
      from ${recordRows(db)} domain_records where workspace_id = ${workspaceId} and is_required group by domain_id
    ), message_counts as (
      select count(*) filter (where date >= ${today}) as today,
        count(*) filter (where date < ${today}) as yesterday
      from ${messageRows(db)} messages
      where workspace_id = ${workspaceId} and not is_draft and date >= ${yesterday} and date < ${tomorrow}
    )
    select count(domains.id) filter (where is_there) as "domains",
      count(*) filter (where is_active and is_there) as "active_domains",
      count(*) filter (where record_states.is_verified and is_there) as "dns_verified",
      count(*) filter (where record_states.is_failed and is_there) as "dns_failed",
      count(domains.id) filter (where is_there and (coalesce(record_states.is_work, true)
        or coalesce(mailbox_counts.total > 0 and ${isNotRight('mx')}, false))) as "need_work",
      coalesce(sum(mailbox_counts.total), 0)::bigint as "mailboxes",
      coalesce(sum(mailbox_counts.active), 0)::bigint as "active_mailboxes",
      coalesce(sum(mailbox_counts.suspended), 0)::bigint as "suspended_mailboxes",
      count(*) filter (where is_active and is_there and mailbox_counts.active > 0) as "domains_in_use",
      coalesce(sum(greatest(0, coalesce(domains.mailbox_limit, ${limit})::bigint - coalesce(mailbox_counts.total, 0)))
        filter (where is_active and is_there), 0)::bigint as "slots",
      coalesce(sum(mailbox_counts.used_bytes), 0)::bigint as "used_bytes",
      workspaces.storage_quota_bytes as "quota_bytes",
      (select today from message_counts) as "messages_today",
      (select yesterday from message_counts) as "messages_yesterday"
    from ${workspaceRows(db)} workspaces
      left join ${domainRows(db)} domains on domains.workspace_id = workspaces.id
      cross join lateral (select domains.ends_at is null as is_there) deletion
      left join mailbox_counts on mailbox_counts.domain_id = domains.id
      left join ${recordRows(db)} mx on mx.domain_id = domains.id
        and mx.workspace_id = domains.workspace_id and mx.purpose = 'mx'
      left join record_states on record_states.domain_id = domains.id
    where workspaces.id = ${workspaceId}
    group by workspaces.id, workspaces.storage_quota_bytes`.execute(db)
  return rows[0]
}

/** Days without a message are left out. Drafts are no messages yet. */
export const readMailPerDay = async (
  db: Db,
  workspaceId: string,
  { from, until }: { from: Date; until: Date },
): Promise<{ date: string; messages: number }[]> => {
  const { rows } = await sql<{ date: string; messages: number }>`
    select to_char(date at time zone 'UTC', 'YYYY-MM-DD') as "date", count(*) as "messages"
    from ${messageRows(db)} messages
    where workspace_id = ${workspaceId} and not is_draft and date >= ${from} and date < ${until}
    group by 1`.execute(db)
  return rows
}
