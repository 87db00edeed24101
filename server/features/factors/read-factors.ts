import type { SecondFactor } from '#contract/account/second-factor.ts'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { isId } from '#server/lib/ids.ts'
import {
  countForeignPasskeys,
  countRecoveryCodes,
  deleteTrust,
  findFactorRow,
  readPasskeys,
  readTrust,
} from './factors-store.ts'
import { toPasskey } from './keep-passkeys.ts'
import { canHavePasskeys, rpIdOf } from './relying-party.ts'

/** `nameOf`: what a User-Agent header says, in words. */
export const readSecondFactor = async (
  app: App,
  userId: string,
  nameOf: (userAgent: string) => string,
): Promise<SecondFactor> => ({
  totpSince: (await findFactorRow(app.db, userId))?.totpSince?.toISOString() ?? null,
  passkeys: (await readPasskeys(app.db, userId)).map((row) => toPasskey(app, row)),
  passkeysWork: canHavePasskeys(app),
  recoveryCodesLeft: await countRecoveryCodes(app.db, userId),
  trustedBrowsers: (await readTrust(app.db, userId, app.clock.now())).map((row) => ({
    _id: row.id,
    browser: nameOf(row.userAgent),
    ip: row.ip,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  })),
})

/** @throws NOT_EXISTS */
export const endTrustIn = async (app: App, userId: string, id: string): Promise<void> => {
  if (!isId(id) || !(await deleteTrust(app.db, userId, id))) throw new AppError('NOT_EXISTS')
}

/** In one sentence for the operator; null: every passkey is for the present host of PUBLIC_URL. */
export const passkeysOfOtherHosts = async ({
  config,
  db,
}: Pick<App, 'config' | 'db'>): Promise<string | null> => {
  const host = rpIdOf({ config })
  const count = await countForeignPasskeys(db, host)
  if (count === 0) return null
  const passkeys = count === 1 ? '1 passkey was' : `${count} passkeys were`
  return `${passkeys} made while PUBLIC_URL had another host than ${host}, and cannot be used.`
}
