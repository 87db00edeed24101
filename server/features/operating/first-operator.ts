/** The account of the first operator, by a link that the terminal shows: no mail has to arrive for it. */
import type { z } from 'zod'
import { AppError } from '#contract/errors.ts'
import type { firstOperatorForm } from '#contract/operator/operators.ts'
import type { App } from '#server/app.ts'
import { accountEmail } from '#server/features/accounts/account-email.ts'
import { openInvitedAccount, openWorkspace } from '#server/features/accounts/open-account.ts'
import { hashPassword, refuseCommonPassword } from '#server/features/accounts/passwords.ts'
import {
  type Client,
  logSignedIn,
  logSignedUp,
  requireStarted,
  type StartedSession,
  startSession,
} from '#server/features/accounts/start-session.ts'
import { hasAccounts } from '#server/features/accounts/user-queries.ts'
import {
  hasOperatorLink,
  insertOperator,
  insertOperatorLink,
  operatorRows,
  spendOperatorLinks,
} from '#server/features/operators/operator-queries.ts'
import {
  noteAction,
  type Operator,
  type OperatorApp,
} from '#server/features/operators/operators.ts'
import { DAY_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import { hashToken, randomToken } from '#server/lib/secrets.ts'

/** Time enough to read the terminal of a first start. */
const LINK_SECONDS = 7 * DAY_SECONDS

/** @returns the address of a page that makes an operator's account, once */
export const makeOperatorLink = async (app: OperatorApp, operator: Operator): Promise<string> => {
  const token = randomToken()
  const now = app.clock.now()
  await app.db.transaction().execute(async (tx) => {
    const link = { tokenHash: hashToken(token), expiresAt: secondsAfter(now, LINK_SECONDS) }
    await insertOperatorLink(tx, link, now)
    const action = { verb: 'operator link', workspaceId: null, subject: 'a new account' } as const
    await noteAction(tx, now, operator, action)
  })
  return `${app.config.publicUrl}/operator/first?token=${token}`
}

/** What a start says: a link while nobody has an account here; null when somebody operates this installation. */
export const firstLink = async (app: OperatorApp): Promise<string | null> => {
  if (app.config.operators.length > 0 || (await hasAccounts(app.db))) return null
  if ((await operatorRows(app.db).executeTakeFirst()) !== undefined) return null
  return makeOperatorLink(app, 'start')
}

/** @throws INVALID_SIGNATURE for one that was used, has run out or was never made */
export const openFirstLink = async (app: App, token: string): Promise<{ type: 'OPEN' }> => {
  if (await hasOperatorLink(app.db, hashToken(token), app.clock.now())) return { type: 'OPEN' }
  throw new AppError('INVALID_SIGNATURE')
}

/**
 * An account with a workspace of its own, verified by the link: whoever reads the terminal may do anything here.
 * @throws INVALID_SIGNATURE when the link was used, USER_ALREADY_EXISTS, VALIDATION
 */
export const makeFirstOperator = async (
  app: App,
  { session: token, ...form }: z.output<typeof firstOperatorForm>,
  client: Client,
): Promise<StartedSession> => {
  await openFirstLink(app, token)
  refuseCommonPassword(form.password)
  const { firstName, lastName } = form
  const email = accountEmail(form.email)
  const passwordHash = await hashPassword(form.password, client.ip)
  const started = await app.db.transaction().execute(async (tx) => {
    const now = app.clock.now()
    if (!(await spendOperatorLinks(tx, hashToken(token), now)))
      throw new AppError('INVALID_SIGNATURE')
    const user = await openInvitedAccount(app, tx, { email, firstName, lastName, passwordHash })
    await openWorkspace(app, tx, user.id, `${firstName}’s workspace`)
    await insertOperator(tx, { userId: user.id, madeBy: 'terminal', madeAt: now })
    await noteAction(tx, now, email, { verb: 'operator add', workspaceId: null, subject: email })
    return requireStarted(await startSession(app, tx, user, client, 'mailed-link'))
  })
  logSignedUp(app, started.answer.user, client.ip)
  logSignedIn(app, started, client, 'mailed-link')
  return started
}
