import { sql } from 'kysely'
import type { Db } from '#server/storage/database.ts'

/** The unpaid invoices of a workspace. */
export const readDues = (
  db: Db,
  workspaceId: string,
): Promise<{ count: number; amountCents: number }> =>
  db
    .selectFrom('invoices')
    .select(sql<number>`count(*)::int`.as('count'))
    .select(sql<number>`coalesce(sum(amount_cents), 0)::bigint`.as('amountCents'))
    .where('workspaceId', '=', workspaceId)
    .where('status', '=', 'Due')
    .executeTakeFirstOrThrow()
