import { type Insertable, type Selectable, sql } from 'kysely'
import { memberRows } from '#server/features/tenants/workspace-queries.ts'
import type { Db } from '#server/storage/database.ts'
import type { AnnouncementsTable } from '#server/storage/rows/operator-tables.ts'

export type AnnouncementRow = Selectable<AnnouncementsTable>

/** Those that have not ended, newest first. */
const inForce = (db: Db, now: Date) =>
  db
    .selectFrom('announcements')
    .where(({ or, eb }) => or([eb('endsAt', 'is', null), eb('endsAt', '>', now)]))
    .orderBy('madeAt', 'desc')
    .orderBy('id', 'desc')

export const readMade = (db: Db, now: Date): Promise<(AnnouncementRow & { dismissed: number })[]> =>
  inForce(db, now)
    .selectAll()
    .select((of) =>
      of
        .selectFrom('announcementDismissals as d')
        .whereRef('d.announcementId', '=', 'announcements.id')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .$asScalar()
        .$notNull()
        .as('dismissed'),
    )
    .execute()

/** What this person is to see: those for Admins only where they are one of some workspace. */
export const readFor = (db: Db, userId: string, now: Date): Promise<AnnouncementRow[]> =>
  inForce(db, now)
    .selectAll()
    .where(({ or, eb, exists }) =>
      or([
        eb('audience', '=', 'everybody'),
        exists(
          db
            .selectFrom(memberRows(db).as('m'))
            .select(sql`1`.as('one'))
            .where('m.userId', '=', userId)
            .where('m.role', '=', 'Admin'),
        ),
      ]),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('announcementDismissals as d')
            .select('d.userId')
            .whereRef('d.announcementId', '=', 'announcements.id')
            .where('d.userId', '=', userId),
        ),
      ),
    )
    .execute()

export const insertAnnouncement = async (
  db: Db,
  announcement: Insertable<AnnouncementsTable>,
): Promise<void> => {
  await db.insertInto('announcements').values(announcement).execute()
}

export const removeAnnouncement = (db: Db, id: string): Promise<AnnouncementRow | undefined> =>
  db.deleteFrom('announcements').where('id', '=', id).returningAll().executeTakeFirst()

export const insertDismissal = async (
  db: Db,
  announcementId: string,
  userId: string,
): Promise<void> => {
  await db
    .insertInto('announcementDismissals')
    .values({ announcementId, userId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export const deleteEnded = async (db: Db, now: Date): Promise<void> => {
  await db.deleteFrom('announcements').where('endsAt', '<=', now).execute()
}
