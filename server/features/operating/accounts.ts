/** Accounts, for operators: who they are, and what to do when somebody cannot get in (decision 104). */
import { AppError } from '#contract/errors.ts'
import type {
  AccountOrder,
  OperatedAccount,
  OperatedAccountDetails,
} from '#contract/operator/accounts.ts'
import type { OperatorVerb } from '#contract/operator/actions.ts'
import type { Role } from '#contract/rights.ts'
import { resetLinkFor } from '#server/features/accounts/mail-link.ts'
import { countSessions, endSessionsOf, userRows } from '#server/features/accounts/user-queries.ts'
import { resetFactors } from '#server/features/factors/reset-factors.ts'
import { mailboxRows } from '#server/features/mailboxes/mailbox-queries.ts'
import {
  type Action,
  type Operator,
  type OperatorApp,
  operate,
} from '#server/features/operators/operators.ts'
import { insertMember, setRole } from '#server/features/tenants/workspace-queries.ts'
import { adminEmails } from '#server/features/workspaces/member-emails.ts'
import { findMember } from '#server/features/workspaces/member-queries.ts'
import { isId } from '#server/lib/ids.ts'
import { type Listing, type Paged, pageOf, soughtBy } from '#server/lib/list-pages.ts'
import type { Db } from '#server/storage/database.ts'
import { announceMembership, announceSessionsEnded } from '#server/storage/notifications.ts'
import {
  accountSortKind,
  countAccounts,
  readAccountPage,
  readAccounts,
  readMailboxesOf,
  readOperators,
  readPlaces,
} from './accounts-store.ts'
import { toAction } from './actions.ts'
import { readActionsAbout } from './actions-store.ts'
import { addressIn } from './addresses.ts'
import { requireWorkspace } from './workspaces.ts'

type Account = Awaited<ReturnType<typeof findAccount>>

/** By its address or its id. @throws NOT_EXISTS */
export const findAccount = async (db: Db, wanted: string) => {
  const by = isId(wanted)
    ? userRows(db).where('id', '=', wanted)
    : userRows(db).where('email', '=', addressIn(wanted))
  const user = await by.executeTakeFirst()
  if (user === undefined) throw new AppError('NOT_EXISTS')
  return user
}

/** A proven account that is no holder. @throws NOT_EXISTS */
export const requireAccount = async (db: Db, wanted: string): Promise<Account> => {
  const user = await findAccount(db, wanted)
  if (user.verifiedAt === null || user.mailboxId !== null) throw new AppError('NOT_EXISTS')
  return user
}

export const listAccounts = async (
  app: Pick<OperatorApp, 'db' | 'config'>,
  listing: Listing<AccountOrder>,
): Promise<Paged<OperatedAccount> & { total: number }> => {
  const search = soughtBy(listing)
  const [{ items, ...page }, total] = await Promise.all([
    pageOf(listing, accountSortKind(listing.order), (range) =>
      readAccountPage(app.db, search, range),
    ),
    countAccounts(app.db, search),
  ])
  const ids = items.map(({ id }) => id)
  const byId = new Map((await describeAccounts(app, ids)).map((each) => [each._id, each]))
  return { ...page, items: ids.flatMap((id) => byId.get(id) ?? []), total }
}

/** In no order. */
const describeAccounts = async (
  { db, config }: Pick<OperatorApp, 'db' | 'config'>,
  ids: readonly string[],
): Promise<OperatedAccount[]> => {
  const [users, places, operators] = await Promise.all([
    readAccounts(db, ids),
    readPlaces(db, ids),
    readOperators(db, ids),
  ])
  const made = new Set(operators.map(({ userId }) => userId))
  return users.map((user) => ({
    _id: user.id,
    name: `${user.firstName} ${user.lastName}`.trim(),
    email: user.email,
    createdAt: user.createdAt.toISOString(),
    verifiedAt: user.verifiedAt?.toISOString() ?? null,
    lastLoginAt: user.lastLoginAt?.toISOString() ?? null,
    isHolder: user.mailboxId !== null,
    isOperator: made.has(user.id) || config.operators.includes(user.email),
    workspaces: places
      .filter(({ userId }) => userId === user.id)
      .map(({ id, name, role }) => ({ _id: id, name, role })),
  }))
}

const MOST_ACTIONS = 50

/** By the address or the id. @throws NOT_EXISTS */
export const showAccount = async (
  app: OperatorApp,
  wanted: string,
): Promise<OperatedAccountDetails> => {
  const { id, email } = await findAccount(app.db, wanted)
  const [[account], sessions, mailboxes, actions] = await Promise.all([
    describeAccounts(app, [id]),
    countSessions(app.db, id, app.clock.now()),
    readMailboxesOf(app.db, id, app.clock.now()),
    readActionsAbout(app.db, email, MOST_ACTIONS),
  ])
  if (account === undefined) throw new AppError('NOT_EXISTS')
  return {
    ...{ ...account, sessions, actions: actions.map(toAction) },
    mailboxes: mailboxes.map(({ id: _id, email: address, origin }) => ({
      ...{ _id, email: address },
      isHolder: origin === 'holder',
    })),
  }
}

/**
 * For a person whom no mail reaches; the operator hands it over, after making sure who it is.
 * @throws NOT_EXISTS; STATUS_NOT_ALLOWED for a holder, whom an Admin of the workspace helps
 */
export const makeResetLink = (
  app: OperatorApp,
  operator: Operator,
  wanted: string,
): Promise<{ link: string; expiresAt: Date }> =>
  operate(app, operator, async (tx) => {
    const user = await findAccount(tx, wanted)
    if (user.mailboxId !== null)
      throw new AppError('STATUS_NOT_ALLOWED', {
        message: 'This person signs in to one mailbox: an Admin of the workspace gives access anew',
      })
    const answer = await resetLinkFor(app, tx, user)
    return { action: await actionOn(tx, 'user reset-link', user), answer }
  })

/** Also of a holder. @throws NOT_EXISTS */
export const endSessions = (
  app: OperatorApp,
  operator: Operator,
  wanted: string,
): Promise<string> =>
  operate(app, operator, async (tx) => {
    const user = await findAccount(tx, wanted)
    await endSessionsOf(tx, user.id, app.clock.now())
    await announceSessionsEnded(tx)
    return { action: await actionOn(tx, 'user end-sessions', user), answer: user.email }
  })

/** Also of a holder; make sure who asks. @throws NOT_EXISTS, NO_SECOND_FACTOR */
export const resetFactor = (
  app: OperatorApp,
  operator: Operator,
  wanted: string,
): Promise<string> =>
  operate(app, operator, async (tx) => {
    const user = await findAccount(tx, wanted)
    await resetFactors(app, tx, user.id)
    await endSessionsOf(tx, user.id, app.clock.now())
    await announceSessionsEnded(tx)
    return { action: await actionOn(tx, 'user reset-factor', user), answer: user.email }
  })

/** The workspaces of a person, or of the mailbox that they hold, are told in their audit logs. */
const actionOn = async (
  tx: Db,
  verb: OperatorVerb,
  { id, email, mailboxId }: Pick<Account, 'id' | 'email' | 'mailboxId'>,
): Promise<Action> => {
  const held = mailboxId === null ? [] : await mailboxRows(tx).where('id', '=', mailboxId).execute()
  const places = await readPlaces(tx, [id])
  const memberOf = [...places.map((place) => place.id), ...held.map((box) => box.workspaceId)]
  return { verb, workspaceId: null, memberOf, subject: email }
}

/** What an account gets with the role. @throws NOT_EXISTS */
export const previewAdmin = async (
  db: Db,
  wanted: string,
  workspaceId: string,
): Promise<{ email: string; workspace: string; role: Role | null; admins: string[] }> => {
  const user = await requireAccount(db, wanted)
  const { name } = await requireWorkspace(db, workspaceId)
  const member = await findMember(db, workspaceId, user.id)
  const admins = await adminEmails(db, workspaceId)
  return { email: user.email, workspace: name, role: member?.role ?? null, admins }
}

/** When the last Admin of a workspace has gone. A member gets the role. @throws NOT_EXISTS */
export const makeAdmin = (
  app: OperatorApp,
  operator: Operator,
  wanted: string,
  workspaceId: string,
): Promise<{ email: string; workspace: string }> =>
  operate(app, operator, async (tx) => {
    const user = await requireAccount(tx, wanted)
    const workspace = await requireWorkspace(tx, workspaceId, { isLocked: true })
    const createdAt = app.clock.now()
    await insertMember(tx, { workspaceId, userId: user.id, role: 'Admin', createdAt })
    await setRole(tx, workspaceId, user.id, 'Admin')
    await announceMembership(tx)
    return {
      action: { verb: 'user make-admin', workspaceId, subject: user.email },
      answer: { email: user.email, workspace: workspace.name },
    }
  })
