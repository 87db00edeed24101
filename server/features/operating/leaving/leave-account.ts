/** A person lets their own account end, after a wait in which they can keep it. The last Admin of a workspace hands it over first. */
import { LEAVING_DAYS, type Leaving, type leave as leaveRoute } from '#contract/account/leaving.ts'
import { AppError, invalidField } from '#contract/errors.ts'
import type { Input } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import { confirmPassword } from '#server/features/accounts/change-password.ts'
import {
  endingAccounts,
  lockEndOf,
  readEndOf,
  setEndOf,
} from '#server/features/accounts/user-queries.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { SYSTEM } from '#server/features/audit/record-change.ts'
import { isLastOperator } from '#server/features/operators/operators.ts'
import { sendSystemMail } from '#server/features/outbox/send-system-mail.ts'
import { DAY_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import { inTransaction } from '#server/storage/after-commit.ts'
import type { Db } from '#server/storage/database.ts'
import { type AccountEnd, endAccount, previewAccountEnd } from '../delete-account.ts'
import {
  accountEndedMail,
  accountEndsMail,
  accountKeptMail,
  cannotEndMail,
} from './leaving-mails.ts'

const OTHER_ADDRESS = 'This is not the address of your account'

export const getLeaving = async (
  app: Pick<App, 'db' | 'config'>,
  { userId }: Pick<Who, 'userId'>,
): Promise<Leaving> => {
  const end = await previewAccountEnd(app.db, userId)
  return toLeaving(app, app.db, userId, end)
}

const toLeaving = async (
  { config }: Pick<App, 'config'>,
  db: Db,
  userId: string,
  { email, places }: AccountEnd,
): Promise<Leaving> => ({
  endsAt: (await readEndOf(db, userId))?.toISOString() ?? null,
  lastAdminOf: lastAdminOf(places).map(({ id, name }) => ({ _id: id, name })),
  isLastOperator: await isLastOperator({ db, config }, { id: userId, email }),
})

const lastAdminOf = (places: AccountEnd['places']) =>
  places.filter(({ isLastAdmin }) => isLastAdmin)

/** @throws VALIDATION on `email` and `password`, LAST_ADMIN, TOO_MANY_REQUESTS */
export const leave = async (
  app: App,
  who: Who,
  { email, password }: Input<typeof leaveRoute>['body'],
): Promise<Leaving> => {
  const found = await previewAccountEnd(app.db, who.userId)
  if (email.trim().toLowerCase() !== found.email) throw invalidField('email', OTHER_ADDRESS)
  await confirmPassword(app, who, password, 'password')
  return app.db.transaction().execute(async (tx) => {
    const end = await previewAccountEnd(tx, who.userId)
    if (lastAdminOf(end.places).length > 0) throw new AppError('LAST_ADMIN')
    const before = await lockEndOf(tx, who.userId)
    if (before === null) {
      const endsAt = secondsAfter(app.clock.now(), LEAVING_DAYS * DAY_SECONDS)
      await setEndOf(tx, who.userId, endsAt)
      const mail = accountEndsMail(end, endsAt, `${app.config.publicUrl}/dashboard/security`)
      await sendSystemMail(app, tx, { to: end.email, ...mail, link: null })
    }
    return toLeaving(app, tx, who.userId, end)
  })
}

/** Keeps the account. */
export const stay = (app: App, { userId }: Who): Promise<Leaving> =>
  app.db.transaction().execute(async (tx) => {
    const end = await previewAccountEnd(tx, userId)
    if ((await lockEndOf(tx, userId)) !== null) {
      await setEndOf(tx, userId, null)
      const mail = accountKeptMail(end, app.config.publicUrl)
      await sendSystemMail(app, tx, { to: end.email, ...mail, link: null })
    }
    return toLeaving(app, tx, userId, end)
  })

const AT_ONCE = 100

/** For a job: each in its own transaction, and one that fails does not keep the others waiting. @throws the first failure, at the end */
export const endDueAccounts = async (app: App): Promise<void> => {
  const now = app.clock.now()
  const failures: unknown[] = []
  for (const userId of await endingAccounts(app.db, now, AT_ONCE))
    try {
      await inTransaction(app, (tx) => endIfDue(app, tx, userId, now))
    } catch (error) {
      failures.push(error)
    }
  if (failures.length > 0) throw failures[0]
}

const endIfDue = async (app: App, tx: Db, userId: string, now: Date): Promise<void> => {
  const endsAt = await lockEndOf(tx, userId)
  // It may have been kept meanwhile.
  if (endsAt === null || endsAt > now) return
  await endOrKeep(app, tx, userId)
}

/** Who became the last Admin of a workspace in the wait stays, and is told. */
const endOrKeep = async (app: App, tx: Db, userId: string): Promise<void> => {
  const end = await endAccount(app, tx, userId, SYSTEM)
  const last = lastAdminOf(end.places)
  if (last.length > 0) await setEndOf(tx, userId, null)
  const mail =
    last.length === 0
      ? accountEndedMail(end, app.config.publicUrl)
      : cannotEndMail(end, `${app.config.publicUrl}/dashboard/security`)
  await sendSystemMail(app, tx, { to: end.email, ...mail, link: null })
}
