/**
 * Whether a sign-in needs a second step. A session is started with an `Admission` and no other way, and admissions are made here
 * alone: so no way in can forget to ask (decision 116).
 */
import type { AskedFactor, FactorMethod } from '#contract/account/second-factor.ts'
import type { App } from '#server/app.ts'
import { DAY_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import { newId } from '#server/lib/ids.ts'
import { hashToken, randomToken } from '#server/lib/secrets.ts'
import type { Db } from '#server/storage/database.ts'
import { beginChallenge } from './challenges.ts'
import { askForPasskey } from './check-passkey.ts'
import {
  type Challenge,
  countRecoveryCodes,
  findFactorRow,
  insertTrust,
  noteTrust,
  readPasskeys,
} from './factors-store.ts'
import type { Proven } from './prove-factor.ts'
import { rpIdOf } from './relying-party.ts'

const made: unique symbol = Symbol('made by this file')

export type Admission = {
  readonly [made]: true
  readonly userId: string
  /** When the person proved who they are; null: the password alone, in a trusted browser. */
  readonly confirmedAt: Date | null
}

export type TrustingClient = { ip: string; userAgent: string; trustTokens: readonly string[] }

type FirstStep = { userId: string; by: Challenge['signInBy'] }

/** After the first step of a sign-in: the admission, or what the person is asked for. */
export const judgeSignIn = async (
  app: App,
  tx: Db,
  { userId, by }: FirstStep,
  client: TrustingClient,
): Promise<Admission | AskedFactor> => {
  const now = app.clock.now()
  const methods = await methodsOf(app, tx, userId)
  if (methods === null) return { [made]: true, userId, confirmedAt: now }
  const hashes = client.trustTokens.map(hashToken)
  if (await noteTrust(tx, userId, hashes, now)) return { [made]: true, userId, confirmedAt: null }
  return askFactor(app, tx, { purpose: 'sign-in', userId, signInBy: by }, methods)
}

/** After the second step. */
export const admitProven = (app: App, { userId }: Proven): Admission => ({
  ...{ [made]: true, userId, confirmedAt: app.clock.now() },
})

/** null: the person has no second factor. */
export const methodsOf = async (
  app: Pick<App, 'config'>,
  db: Db,
  userId: string,
): Promise<FactorMethod[] | null> => {
  const hasTotp = (await findFactorRow(db, userId))?.totpSince != null
  const passkeys = await readPasskeys(db, userId)
  if (!hasTotp && passkeys.length === 0) return null
  const canUsePasskey = passkeys.some(({ rpId }) => rpId === rpIdOf(app))
  return [
    ...(hasTotp ? (['totp'] as const) : []),
    ...(canUsePasskey ? (['passkey'] as const) : []),
    ...((await countRecoveryCodes(db, userId)) > 0 ? (['recovery-code'] as const) : []),
  ]
}

export const askFactor = async <Method extends string>(
  app: App,
  db: Db,
  begun: { purpose: Challenge['purpose']; userId: string; signInBy?: Challenge['signInBy'] },
  methods: Method[],
) => {
  const { token, passkeyChallenge } = await beginChallenge(app, db, begun)
  const allowed = (await readPasskeys(db, begun.userId)).filter(({ rpId }) => rpId === rpIdOf(app))
  const passkey =
    allowed.length === 0 ? null : await askForPasskey(app, passkeyChallenge, 'preferred', allowed)
  return { methods, challenge: token, passkey }
}

const TRUST_SECONDS = 30 * DAY_SECONDS

/** From now on the password is enough in this browser. @returns what the browser is known by */
export const trustBrowser = async (
  app: App,
  tx: Db,
  userId: string,
  { ip, userAgent }: TrustingClient,
): Promise<string> => {
  const token = randomToken()
  const now = app.clock.now()
  await insertTrust(tx, {
    ...{ id: newId(), userId, tokenHash: hashToken(token), ip, userAgent: userAgent.slice(0, 300) },
    ...{ createdAt: now, lastUsedAt: now, expiresAt: secondsAfter(now, TRUST_SECONDS) },
  })
  return token
}
