/** Finds the mailbox that gets mail for an address. Every RCPT runs it, so it is one query on indexes. */
import { type RawBuilder, sql } from 'kysely'
import { domainRows } from '#server/features/domains/domain-queries.ts'
import type { Db } from '#server/storage/database.ts'
import type { MailboxRow } from './mailbox-queries.ts'

export type FoundRecipient = {
  workspaceId: string
  mailbox: { id: string; email: string; status: MailboxRow['status']; isCatchAll: boolean } | null
}

/** How the address matched: exactly, without its +tag, or not at all. */
const ranks = { exact: 1, base: 2, catchAll: 3 } as const

/** The verified domain of this name with the mailbox of the first address that exists, or else its catch-all. */
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
 * Exported, so that a test can check its query plan. `is not distinct from` keeps the planner from this column's index: the index
 * of addresses is better, since one domain may have thousands of them.
 */
export const recipientQuery = (db: Db, domain: Text, email: Text, baseEmail: Text) => {
  const rankOf = (table: 'mailboxes' | 'aliases') => {
    const { exact, base } = ranks
    const isExact = sql`${sql.ref(`${table}.email`)} = ${email}`
    return sql<number>`case when ${isExact} then ${sql.lit(exact)} else ${sql.lit(base)} end`
  }
  const found = ['mailboxes.id', 'mailboxes.email', 'mailboxes.status'] as const
  return db
    .selectFrom(domainRows(db).as('domains'))
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
              .innerJoin('mailboxes', (on) =>
                on
                  .onRef('mailboxes.id', '=', 'aliases.mailboxId')
                  .onRef('mailboxes.workspaceId', '=', 'aliases.workspaceId'),
              )
              .select([...found, rankOf('aliases').as('rank')])
              .whereRef('aliases.domainId', 'is not distinct from', 'domains.id')
              .whereRef('mailboxes.workspaceId', '=', 'domains.workspaceId')
              .where('aliases.email', 'in', [email, baseEmail]),
          )
          .unionAll(
            of
              .selectFrom('catchAlls')
              .innerJoin('mailboxes', (on) =>
                on
                  .onRef('mailboxes.id', '=', 'catchAlls.mailboxId')
                  .onRef('mailboxes.workspaceId', '=', 'catchAlls.workspaceId'),
              )
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

/** Placeholder in the compiled statement for a value of each execution. */
class Blank {
  readonly name: keyof Asked

  constructor(name: keyof Asked) {
    this.name = name
  }
}

const blank = (name: keyof Asked) => sql<string>`${new Blank(name)}`

const write = (db: Db) =>
  recipientQuery(db, blank('domain'), blank('email'), blank('baseEmail')).compile()

let written: ReturnType<typeof write> | undefined

type Row = Awaited<ReturnType<ReturnType<typeof recipientQuery>['execute']>>[number]

/** Compiled once: Kysely takes 0.1 ms to compile the statement, whose text is always the same. */
const recipientRows = async (db: Db, asked: Asked) => {
  written ??= write(db)
  const parameters = written.parameters.map((parameter) =>
    parameter instanceof Blank ? asked[parameter.name] : parameter,
  )
  return (await db.executeQuery<Row>({ ...written, parameters })).rows
}
