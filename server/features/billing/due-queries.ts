import { sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'

/** The unpaid invoices of a workspace, without what credit notes took back. */
export const readDues = (
  db: Db,
  workspaceId: string,
): Promise<{ count: number; amountCents: number }> =>
  db
    .selectFrom('invoices')
    .select(sql<number>`count(*)::int`.as('count'))
    .select(
      sql<number>`coalesce(sum(amount_cents - credited_cents - collected_cents), 0)::bigint`.as(
        'amountCents',
      ),
    )
    .where('workspaceId', '=', workspaceId)
    .where('status', '=', 'Due')
    .executeTakeFirstOrThrow()
