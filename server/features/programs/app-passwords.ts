/** A reader of a mailbox makes, lists and ends the passwords of their own mail programs (decision 096). */
import type { SignedInProgram } from '#contract/account/sessions.ts'
import { AppError, invalidField } from '#contract/errors.ts'
import {
  type AppPassword,
  MAX_APP_PASSWORDS,
  type MadeAppPassword,
  MOST_PROGRAM_USES,
  type makeAppPassword as makeAppPasswordRoute,
  type ProgramUse,
} from '#contract/mail/app-passwords.ts'
import type { Input } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import { logRight } from '#server/features/accounts/log-in.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { openMailbox } from '#server/features/mailboxes/open-mailbox.ts'
import { DAY_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import { isId, newId } from '#server/lib/ids.ts'
import { inTransaction } from '#server/storage/after-commit.ts'
import { announceSignIns } from '#server/storage/notifications.ts'
import { hashAppPassword, newAppPassword } from './app-password-text.ts'
import {
  type AppPasswordRow,
  countAppPasswords,
  deleteAppPassword,
  deleteFormerPasswords,
  insertAppPassword,
  lockAppPasswords,
  type Owner,
  readAppPasswords,
} from './app-passwords-store.ts'
import { readUses, readUsesBy } from './program-uses-store.ts'

const OVER = 'This day is over'

/** No role includes reading a mailbox, so an Admin who is no reader has none here. @throws NOT_EXISTS, FORBIDDEN */
const ownerOf = async (app: App, who: Who, mailboxId: string): Promise<Owner> => {
  const { id, workspaceId } = await openMailbox(app, who, mailboxId)
  return { workspaceId, mailboxId: id, userId: who.userId }
}

/** @throws NOT_EXISTS, FORBIDDEN */
export const listAppPasswords = async (
  app: App,
  who: Who,
  mailboxId: string,
): Promise<AppPassword[]> => {
  const rows = await readAppPasswords(app.db, await ownerOf(app, who, mailboxId))
  return rows.map(toAppPassword)
}

/** @throws NOT_EXISTS, FORBIDDEN */
export const listProgramUses = async (
  app: App,
  who: Who,
  mailboxId: string,
): Promise<ProgramUse[]> => {
  const rows = await readUses(app.db, await ownerOf(app, who, mailboxId), MOST_PROGRAM_USES)
  return rows.map(({ firstAt, lastAt, ...row }) => ({
    ...{ ...row, firstAt: firstAt.toISOString(), lastAt: lastAt.toISOString() },
  }))
}

const SHOWN_DAYS = 90

/** Which mail programs signed in for the caller, in all mailboxes that they read. */
export const listPrograms = async (
  app: Pick<App, 'db' | 'clock'>,
  { userId }: Pick<Who, 'userId'>,
): Promise<SignedInProgram[]> => {
  const now = app.clock.now()
  const since = secondsAfter(now, -SHOWN_DAYS * DAY_SECONDS)
  const rows = await readUsesBy(app.db, userId, { since, now })
  return rows.map((row) => ({ ...row, lastAt: row.lastAt.toISOString() }))
}

/** @throws NOT_EXISTS, FORBIDDEN, VALIDATION on `expiresAt`, APP_PASSWORD_LIMIT */
export const makeAppPassword = async (
  app: App,
  who: Who,
  mailboxId: string,
  { name, scopes, expiresAt = null }: Input<typeof makeAppPasswordRoute>['body'],
): Promise<MadeAppPassword> => {
  const owner = await ownerOf(app, who, mailboxId)
  const createdAt = app.clock.now()
  const end = expiresAt === null ? null : new Date(expiresAt)
  if (end !== null && end <= createdAt) throw invalidField('expiresAt', OVER)
  const password = newAppPassword()
  const secretHash = hashAppPassword(password)
  if (secretHash === null) throw new Error('a new app password has not the form of one')
  const row = { id: newId(createdAt.getTime()), name, scopes, createdAt, expiresAt: end }
  await inTransaction(app, async (tx) => {
    await lockAppPasswords(tx, owner)
    await deleteFormerPasswords(tx, owner)
    if ((await countAppPasswords(tx, owner)) >= MAX_APP_PASSWORDS)
      throw new AppError('APP_PASSWORD_LIMIT')
    await insertAppPassword(tx, { ...owner, ...row, secretHash })
    logRight(app, tx, who, ownRight(who, row.id, 'made'))
  })
  const unused = { lastAt: null, ip: null, scope: null, program: null }
  return { ...toAppPassword({ ...row, ...unused }), password }
}

/** Ends what was opened with it, too. @throws NOT_EXISTS, also for that of another person; FORBIDDEN */
export const endAppPassword = async (
  app: App,
  who: Who,
  mailboxId: string,
  id: string,
): Promise<void> => {
  const owner = await ownerOf(app, who, mailboxId)
  if (!isId(id)) throw new AppError('NOT_EXISTS')
  await inTransaction(app, async (tx) => {
    if (!(await deleteAppPassword(tx, owner, id))) throw new AppError('NOT_EXISTS')
    await announceSignIns(tx, [owner.mailboxId])
    logRight(app, tx, who, ownRight(who, id.toLowerCase(), 'ended'))
  })
}

const ownRight = ({ userId }: Who, objectId: string, change: 'made' | 'ended') => ({
  ...{ what: 'app-password' as const, objectId, change },
  whose: userId,
})

const toAppPassword = (row: AppPasswordRow): AppPassword => ({
  _id: row.id,
  name: row.name,
  scopes: row.scopes,
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt?.toISOString() ?? null,
  lastUsedAt: row.lastAt?.toISOString() ?? null,
  lastUsedIp: row.ip,
  lastUsedFor: row.scope,
  lastProgram: row.program ?? '',
})
