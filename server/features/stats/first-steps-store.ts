/** The first mails of domains in the database. Each look ends at the first that it finds. */
import { sql } from 'kysely'
import { domainRows } from '#server/features/domains/domain-queries.ts'
import { mailboxRows } from '#server/features/mailboxes/mailbox-queries.ts'
import { messageRows } from '#server/features/messages/message-queries.ts'
import { deliveredRows } from '#server/features/outbox/ledger-queries.ts'
import type { Db } from '#server/storage/database.ts'

export type FirstMail = { id: string; at: Date }

/**
 * Mail that came by SMTP, which alone is authenticated. Imported mail is older than the domain here as a rule, and is not read.
 */
export const firstMailFromOutside = async (
  db: Db,
  workspaceId: string,
  ids: readonly string[],
): Promise<FirstMail[]> => {
  const { rows } = await sql<FirstMail>`
    select domains.id as id, min(came.date) as at
    from ${domainRows(db)} domains
      join ${mailboxRows(db)} mailboxes on mailboxes.domain_id = domains.id
        and mailboxes.workspace_id = domains.workspace_id
      cross join lateral (
        select date from ${messageRows(db)} messages
        where messages.mailbox_id = mailboxes.id and messages.authentication is not null
          and messages.date >= domains.created_at
        limit 1
      ) came
    where domains.workspace_id = ${workspaceId} and domains.id = any(${[...ids]}::uuid[])
    group by domains.id`.execute(db)
  return rows
}

/** Mail to an address outside the workspace that its server took. */
export const firstMailToOutside = async (
  db: Db,
  workspaceId: string,
  ids: readonly string[],
): Promise<FirstMail[]> => {
  const { rows } = await sql<FirstMail>`
    select domains.id as id, min(went.finished_at) as at
    from ${domainRows(db)} domains
      join ${mailboxRows(db)} mailboxes on mailboxes.domain_id = domains.id
        and mailboxes.workspace_id = domains.workspace_id
      cross join lateral (
        select finished_at from ${deliveredRows(db)} delivered
        where delivered.mailbox_id = mailboxes.id and delivered.recipient_domain not in (
          select name from ${domainRows(db)} own where own.workspace_id = ${workspaceId})
        limit 1
      ) went
    where domains.workspace_id = ${workspaceId} and domains.id = any(${[...ids]}::uuid[])
    group by domains.id`.execute(db)
  return rows
}
