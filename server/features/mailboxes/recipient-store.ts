/** Who gets mail for an address. On the path of every RCPT, so it is one query of indexes. */
import { type RawBuilder, sql } from 'kysely'
import { compiledOnce, type ValueOf } from '#server/storage/compiled-once.ts'
import type { Db } from '#server/storage/database.ts'
import type { MailboxRow } from './mailboxes-store.ts'

export type FoundRecipient = {
  workspaceId: string
  mailbox: { id: string; email: string; status: MailboxRow['status']; isCatchAll: boolean } | null
}

/** How exactly the address was met: as it is, without its +tag, or not at all. */
const ranks = { exact: 1, base: 2, catchAll: 3 } as const

/** The verified domain of this name, and in it the mailbox of the first of these addresses that exists, or else its catch-all. */
export const readRecipient = async (
  db: Db,
  domain: string,
  email: string,
  baseEmail: string,
): Promise<FoundRecipient | null> => {
  const [row] = await recipientRows(db, { domain, email, baseEmail })
  if (!row) return null
  const { workspaceId, id, status, rank } = row
  const isCatchAll = rank === ranks.catchAll
  const mailbox = id && row.email && status ? { id, email: row.email, status, isCatchAll } : null
  return { workspaceId, mailbox }
}

type Asked = { domain: string; email: string; baseEmail: string }
type Text = string | RawBuilder<string>

/**
 * Apart, so that a test can ask the database for its plan. `is not distinct from` uses no index: that of addresses is
 * wanted, since a domain may have thousands of them however few others have.
 */
export const recipientQuery = (db: Db, domain: Text, email: Text, baseEmail: Text) => {
  const rankOf = (table: 'mailboxes' | 'aliases') => {
    const { exact, base } = ranks
    const isExact = sql`${sql.ref(`${table}.email`)} = ${email}`
    return sql<number>`case when ${isExact} then ${sql.lit(exact)} else ${sql.lit(base)} end`
  }
  const found = ['mailboxes.id', 'mailboxes.email', 'mailboxes.status'] as const
  return db
    .selectFrom('domains')
    .leftJoinLateral(
      (of) =>
        of
          .selectFrom('mailboxes')
          .select([...found, rankOf('mailboxes').as('rank')])
          .whereRef('mailboxes.domainId', 'is not distinct from', 'domains.id')
          .where('mailboxes.email', 'in', [email, baseEmail])
          .unionAll(
            of
              .selectFrom('aliases')
              .innerJoin('mailboxes', 'mailboxes.id', 'aliases.mailboxId')
              .select([...found, rankOf('aliases').as('rank')])
              .whereRef('aliases.domainId', 'is not distinct from', 'domains.id')
              .whereRef('mailboxes.workspaceId', '=', 'domains.workspaceId')
              .where('aliases.email', 'in', [email, baseEmail]),
          )
          .unionAll(
            of
              .selectFrom('catchAlls')
              .innerJoin('mailboxes', 'mailboxes.id', 'catchAlls.mailboxId')
              .select([...found, sql<number>`${sql.lit(ranks.catchAll)}`.as('rank')])
              .whereRef('catchAlls.domainId', '=', 'domains.id')
              .whereRef('mailboxes.workspaceId', '=', 'domains.workspaceId'),
          )
          .orderBy('rank')
          .limit(1)
          .as('found'),
      (join) => join.onTrue(),
    )
    .select(['domains.workspaceId', 'found.id', 'found.email', 'found.status', 'found.rank'])
    .where('domains.name', '=', domain)
    .where('domains.isVerified', '=', true)
}

const recipientRows = compiledOnce((db, value: ValueOf<Asked>) =>
  recipientQuery(db, value('domain'), value('email'), value('baseEmail')).compile(),
)
