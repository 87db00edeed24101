/** For later rooms: whether a person has a second factor, and the end of what trusted them. */
import { type RawBuilder, sql } from 'kysely'
import type { App } from '#server/app.ts'
import type { Db } from '#server/storage/database.ts'
import { deleteTrustOf, purgeFactorRows, takeUntold } from './factors-store.ts'

/** Of the person whose id is this column: an authenticator app or a passkey, also one that works no more here. */
export const hasFactor = (userId: string): RawBuilder<boolean> =>
  sql<boolean>`(exists (select from passkeys where passkeys.user_id = ${sql.ref(userId)})
    or exists (select from second_factors
      where second_factors.user_id = ${sql.ref(userId)} and totp_since is not null))`

export const endTrust = (db: Db, userId: string): Promise<void> => deleteTrustOf(db, userId)

/** Call in a transaction. @returns whose reset is to be mailed; null: nobody's */
export const takeUntoldReset = (tx: Db): Promise<string | null> => takeUntold(tx)

export const purgeFactors = (app: App): Promise<void> => purgeFactorRows(app.db, app.clock.now())
