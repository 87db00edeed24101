/** Deletes an account for good. A workspace keeps at least one Admin, so the last one is named, with what to do first. */
import { AppError, invalidField } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { deleteAccountRow, forgetCurrentWorkspace } from '#server/features/accounts/user-queries.ts'
import { type Actor, OPERATOR, recordChange } from '#server/features/audit/record-change.ts'
import { systemChanges } from '#server/features/audit/system-changes.ts'
import { deleteReadersBy } from '#server/features/mailboxes/access/access-queries.ts'
import { endWaysIn } from '#server/features/members/change-members.ts'
import {
  noteAction,
  type Operator,
  type OperatorApp,
} from '#server/features/operators/operators.ts'
import {
  countAdmins,
  deleteMember,
  lockWorkspaceRows,
  workspaceRows,
} from '#server/features/tenants/workspace-queries.ts'
import { adminEmails } from '#server/features/workspaces/member-emails.ts'
import { findMember } from '#server/features/workspaces/member-queries.ts'
import { inTransaction } from '#server/storage/after-commit.ts'
import type { Db } from '#server/storage/database.ts'
import { announceMembership, announceSessionsEnded } from '#server/storage/notifications.ts'
import { findAccount } from './accounts.ts'
import { readPlaces } from './accounts-store.ts'

/** A terminal has no log of events. */
type World = OperatorApp & Partial<Pick<App, 'logEvent'>>

export type AccountEnd = {
  email: string
  name: string
  /** Of workspaces that are not deleted. */
  places: { id: string; name: string; role: string; isLastAdmin: boolean }[]
}

/** What ends with an account. @throws NOT_EXISTS; STATUS_NOT_ALLOWED for a holder */
export const previewAccountEnd = async (db: Db, wanted: string): Promise<AccountEnd> => {
  const user = await findAccount(db, wanted)
  if (user.mailboxId !== null)
    throw new AppError('STATUS_NOT_ALLOWED', {
      message: `${user.email} is the sign-in of a mailbox. An Admin ends it in the access of that mailbox, or deletes the mailbox`,
    })
  const places = await Promise.all(
    (await readPlaces(db, [user.id])).map(async ({ id, name, role }) => {
      const { endsAt } = await workspaceRows(db).where('id', '=', id).executeTakeFirstOrThrow()
      const isLastAdmin = role === 'Admin' && endsAt === null && (await countAdmins(db, id)) === 1
      return { id, name, role, isLastAdmin }
    }),
  )
  return { email: user.email, name: `${user.firstName} ${user.lastName}`.trim(), places }
}

/** `typed`: its address. @throws NOT_EXISTS, VALIDATION on `email`, LAST_ADMIN, STATUS_NOT_ALLOWED */
export const deleteAccount = (
  app: World,
  operator: Operator,
  wanted: string,
  typed: string,
): Promise<AccountEnd & { receipt: string }> =>
  inTransaction(app, async (tx) => {
    const user = await findAccount(tx, wanted)
    if (typed.trim().toLowerCase() !== user.email) {
      await previewAccountEnd(tx, user.id)
      throw invalidField('email', OTHER_ADDRESS)
    }
    const end = await endAccount(app, tx, user.id, OPERATOR)
    const last = end.places.filter(({ isLastAdmin }) => isLastAdmin)
    if (last.length > 0) throw new AppError('LAST_ADMIN', { message: lastAdmin(end) })
    const recipients = new Set([user.email])
    for (const { id } of end.places)
      for (const email of await adminEmails(tx, id)) recipients.add(email)
    const receipt = await noteAction(tx, app.clock.now(), operator, {
      ...{ verb: 'user delete', workspaceId: null, subject: user.email },
      detail: end.places.map(({ name, role }) => `${name} (${role})`).join(', '),
      receipt: {
        subject: `The account ${user.email} was deleted`,
        lines: [
          `The operator of this installation deleted the account ${user.email}. It signs in no more, and what it had given or could read has ended.`,
          'Mailboxes and their mail stay in their workspaces.',
        ],
        recipients: [...recipients],
      },
    })
    return { ...end, receipt }
  })

const OTHER_ADDRESS = 'This is not the address of the account'

/**
 * Leaves every workspace, and deletes the account; or changes nothing where a workspace would have no Admin any more, which
 * `places` says. @throws NOT_EXISTS; STATUS_NOT_ALLOWED for a holder
 */
export const endAccount = async (
  app: World,
  tx: Db,
  userId: string,
  actor: Actor,
): Promise<AccountEnd> => {
  const places = await readPlaces(tx, [userId])
  await lockWorkspaceRows(
    tx,
    places.map(({ id }) => id),
  )
  // Again behind the locks: another Admin may be leaving now.
  const end = await previewAccountEnd(tx, userId)
  if (end.places.some(({ isLastAdmin }) => isLastAdmin)) return end
  for (const { id } of end.places) await endPlace(app, tx, { userId, workspaceId: id, actor })
  await deleteAccountRow(tx, userId)
  await announceMembership(tx)
  await announceSessionsEnded(tx)
  return end
}

type Place = { userId: string; workspaceId: string; actor: Actor }

const endPlace = async (
  app: World,
  tx: Db,
  { userId, workspaceId, actor }: Place,
): Promise<void> => {
  const person = await findMember(tx, workspaceId, userId)
  if (person === undefined) return
  const world = { clock: app.clock, logEvent: app.logEvent ?? (() => {}) }
  await endWaysIn(world, tx, { workspaceId, userId }, person, null)
  await deleteReadersBy(tx, { workspaceId, userId })
  await deleteMember(tx, workspaceId, userId)
  await forgetCurrentWorkspace(tx, userId, workspaceId)
  await recordChange(tx, app.clock.now(), actor, {
    ...{ ...systemChanges.accountEnded, action: 'accountEnded', workspaceId },
    ...{ object: person.email, details: { role: person.role } },
  })
}

/** Says what to do first. */
export const lastAdmin = ({ email, places }: AccountEnd): string =>
  places
    .filter(({ isLastAdmin }) => isLastAdmin)
    .map(
      ({ name }) =>
        `${email} is the last Admin of ${name}. First make another one, 'user make-admin ADDRESS ${name}', or delete it, 'workspace delete ${name}'.`,
    )
    .join('\n')
