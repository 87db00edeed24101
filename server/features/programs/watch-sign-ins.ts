/**
 * Tells the doors of this process when connections of mail programs may have to end: a password or a right ended, a mailbox was
 * suspended, deleted or moved, in whichever process.
 */
import type { App } from '#server/app.ts'
import { SESSIONS_ENDED_CHANNEL, SIGN_INS_CHANNEL } from '#server/storage/notifications.ts'
import { findByIds, findHoldersByIds } from './app-passwords-store.ts'
import { whyRefused } from './refused-sign-in.ts'
import { markOf, type SignIn } from './sign-in.ts'

/** What ends by time, such as an app password, is not announced. */
const AGAIN_MS = 30_000

/**
 * `check` gets the mailbox whose connections are to be asked for, null: all. A door first counts a connection among its own
 * and then asks `isStillSignedIn` once, if `check` was called since the look-up: what ended in between was announced before.
 * @returns a function that ends the watch
 */
export const watchSignIns = async (
  app: App,
  check: (mailboxId: string | null) => void,
): Promise<() => void> => {
  const all = () => check(null)
  const stops = [
    await app.listener.subscribe(SIGN_INS_CHANNEL, (mailboxId) => check(mailboxId)),
    await app.listener.subscribe(SESSIONS_ENDED_CHANNEL, all),
  ]
  const timer = setInterval(all, AGAIN_MS).unref()
  return () => {
    clearInterval(timer)
    for (const stop of stops) stop()
  }
}

export const isStillSignedIn = async (app: App, signIn: SignIn): Promise<boolean> =>
  (await stillSignedIn(app, [signIn])).has(signIn)

/** Those among them that would be let in again, in two queries. */
export const stillSignedIn = async (app: App, signIns: readonly SignIn[]): Promise<Set<SignIn>> => {
  const now = app.clock.now()
  const ids = signIns.flatMap(({ appPasswordId }) => appPasswordId ?? [])
  const own = signIns.filter(({ appPasswordId }) => appPasswordId === null)
  const passwords = ids.length === 0 ? [] : await findByIds(app.db, ids, now)
  const userIds = own.map(({ who }) => who.userId)
  const holders = userIds.length === 0 ? [] : await findHoldersByIds(app.db, userIds, now)
  const byPassword = new Map(passwords.map((row) => [row.appPasswordId, row]))
  const byHolder = new Map(holders.map((row) => [row.userId, row]))
  const isStill = ({ who, mailboxId, appPasswordId, ownPasswordMark, scope }: SignIn): boolean => {
    const row = appPasswordId === null ? byHolder.get(who.userId) : byPassword.get(appPasswordId)
    if (row === undefined || row.mailboxId !== mailboxId) return false
    if (row.workspaceId !== who.workspaceId || row.role !== who.role) return false
    if (ownPasswordMark !== null && markOf(row.passwordHash) !== ownPasswordMark) return false
    return whyRefused(row, scope, now) === null
  }
  return new Set(signIns.filter(isStill))
}
