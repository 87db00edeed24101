/** A sentence that operators show to everybody who is signed in, or to Admins, until it ends or its reader dismisses it. */
import { AppError, invalidField } from '#contract/errors.ts'
import type { Announcement } from '#contract/installation.ts'
import type { Announcing, MadeAnnouncement } from '#contract/operator/announcements.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { type Operator, type OperatorApp, operate } from '#server/features/operators/operators.ts'
import { timeText } from '#server/lib/clock.ts'
import { isId, newId } from '#server/lib/ids.ts'
import type { Db } from '#server/storage/database.ts'
import { announceChange } from '#server/storage/notifications.ts'
import {
  type AnnouncementRow,
  deleteEnded,
  insertAnnouncement,
  insertDismissal,
  readFor,
  readMade,
  removeAnnouncement,
} from './announcements-store.ts'

/** They stand above every page. */
const MOST = 3

/** Newest first. */
export const listMade = async ({
  db,
  clock,
}: Pick<OperatorApp, 'db' | 'clock'>): Promise<MadeAnnouncement[]> =>
  (await readMade(db, clock.now())).map((row) => ({
    ...toAnnouncement(row),
    ...{ audience: row.audience, madeBy: row.madeBy, dismissed: row.dismissed },
    madeAt: row.madeAt.toISOString(),
  }))

const toAnnouncement = ({ id, text, link, endsAt }: AnnouncementRow): Announcement => ({
  ...{ _id: id, text, link, endsAt: endsAt?.toISOString() ?? null },
})

/** @throws VALIDATION; STATUS_NOT_ALLOWED where three stand already */
export const announce = (
  app: OperatorApp,
  operator: Operator,
  { endsAt, ...said }: Announcing,
): Promise<MadeAnnouncement> =>
  operate(app, operator, async (tx) => {
    const madeAt = app.clock.now()
    const end = endsAt === null ? null : new Date(endsAt)
    if (end !== null && end <= madeAt) throw invalidField('endsAt', 'This time is over')
    if ((await readMade(tx, madeAt)).length >= MOST)
      throw new AppError('STATUS_NOT_ALLOWED', {
        message: `${MOST} announcements stand above every page already. Please end one first`,
      })
    const row = { id: newId(), ...said, endsAt: end, madeBy: operator, madeAt }
    await insertAnnouncement(tx, row)
    await tellEverybody(tx)
    const answer = { ...toAnnouncement(row), audience: said.audience, madeBy: operator }
    return {
      action: { verb: 'announce', ...recordOf(row) },
      answer: { ...answer, madeAt: madeAt.toISOString(), dismissed: 0 },
    }
  })

/** By its id; '' where only one stands. @throws NOT_EXISTS; STATUS_NOT_ALLOWED for '' where several stand */
export const endAnnouncement = (
  app: Pick<OperatorApp, 'db' | 'clock'>,
  operator: Operator,
  wanted: string,
): Promise<string> =>
  operate(app, operator, async (tx) => {
    const id = wanted === '' ? await onlyOne(tx, app.clock.now()) : wanted
    const row = isId(id) ? await removeAnnouncement(tx, id) : undefined
    if (row === undefined) throw new AppError('NOT_EXISTS')
    await tellEverybody(tx)
    return { action: { verb: 'announce end', ...recordOf(row) }, answer: row.text }
  })

const onlyOne = async (tx: Db, now: Date): Promise<string> => {
  const made = await readMade(tx, now)
  if (made.length > 1)
    throw new AppError('STATUS_NOT_ALLOWED', {
      message: 'Several announcements stand. Please say which, by its id',
    })
  return made[0]?.id ?? ''
}

const recordOf = ({ text, link, audience, endsAt }: AnnouncementRow) => ({
  ...{ workspaceId: null, subject: text },
  detail: [`for ${audience}`, endsAt && `until ${timeText(endsAt)}`, link]
    .filter(Boolean)
    .join(', '),
})

const tellEverybody = (tx: Db): Promise<void> =>
  announceChange(tx, { topic: 'announcements', workspaceId: '' })

/** What this person is to see, newest first. */
export const announcementsFor = async (
  { db, clock }: Pick<App, 'db' | 'clock'>,
  { userId }: Pick<Who, 'userId'>,
): Promise<Announcement[]> => (await readFor(db, userId, clock.now())).map(toAnnouncement)

/** @throws NOT_EXISTS for one that this person is not to see, or has dismissed */
export const dismissAnnouncement = async (
  app: Pick<App, 'db' | 'clock'>,
  who: Pick<Who, 'userId'>,
  id: string,
): Promise<Announcement[]> => {
  const seen = await announcementsFor(app, who)
  if (!seen.some(({ _id }) => _id === id)) throw new AppError('NOT_EXISTS')
  await insertDismissal(app.db, id, who.userId)
  return seen.filter(({ _id }) => _id !== id)
}

export const purgeAnnouncements = ({ db, clock }: Pick<App, 'db' | 'clock'>): Promise<void> =>
  deleteEnded(db, clock.now())
