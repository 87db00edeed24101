/** Limits on sending, checked in the transaction that queues a message: all recipients are accepted or none. */
import { AppError, sentenceOf } from '#contract/errors.ts'
import {
  limitSentence,
  type SendingLimit,
  type SendingStop,
  stopSentence,
  whoResumes,
} from '#contract/mail/sending.ts'
import type { App } from '#server/app.ts'
import { domainRows, ownNames } from '#server/features/domains/domain-queries.ts'
import {
  addCorrespondents,
  deleteCorrespondents,
} from '#server/features/junk/correspondent-queries.ts'
import { mailboxRows } from '#server/features/mailboxes/mailbox-queries.ts'
import { holdWorkspace } from '#server/features/tenants/workspace-queries.ts'
import { DAY_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import { newId } from '#server/lib/ids.ts'
import { domainOf, domainToAscii } from '#server/standards/address.ts'
import type { Db } from '#server/storage/database.ts'
import { type Amounts, findRoom, limitsAt, rampSteps, type Sent } from './limits.ts'
import { deleteSending, insertSending, listSent, sumSent, waitForTurn } from './sendings-store.ts'
import { findStop, type StopRow } from './stops/stops-store.ts'

export type Sender = { workspaceId: string; id: string }

type Outgoing = {
  recipients: readonly string[]
  /** The author of the answered message, who does not count as a new recipient. */
  answeredAddress: string | undefined
}

/** What a message counted as, for the refund when it is taken back. */
export type Counted = { sendingId: string | null; newCorrespondents: string[] }

const suspended = (reason: string): AppError =>
  new AppError('WORKSPACE_SUSPENDED', {
    message: `${sentenceOf('WORKSPACE_SUSPENDED')}. The reason: ${reason}`,
  })

/**
 * Counts the message. Mail within the workspace and to the operator does not count and is never refused.
 * @throws SENDING_LIMIT, MAILBOX_SENDING_STOPPED, WORKSPACE_SUSPENDED
 */
export const checkBrakes = async (
  app: App,
  tx: Db,
  sender: Sender,
  { recipients, answeredAddress }: Outgoing,
): Promise<Counted> => {
  const outside = await outsideOf(app, tx, sender.workspaceId, recipients)
  if (outside.length === 0) return { sendingId: null, newCorrespondents: [] }
  const { workspaceId, id: mailboxId } = sender
  const now = app.clock.now()
  const workspace = await holdWorkspace(tx, workspaceId)
  if (workspace.suspendedAt !== null) throw suspended(workspace.suspendedFor)
  const knownSince = await senderKnownSince(tx, sender, workspace)
  const limits = limitsAt(app.config, knownSince, now)
  await waitForTurn(tx, limits.together === null ? mailboxId : workspaceId)
  const stop = await findStop(tx, { workspaceId, mailboxId })
  if (stop !== undefined) throw stopped(stop)
  const correspondents = outside.map((address) => ({ mailboxId, workspaceId, address }))
  const added = await addCorrespondents(tx, correspondents)
  const newRecipients = added.filter((address) => address !== answeredAddress?.toLowerCase()).length
  const asked = { recipients: outside.length, newRecipients }
  const after = secondsAfter(now, -DAY_SECONDS)
  const scopes = [
    { of: 'mailbox' as const, limit: limits.mailbox, mailboxId },
    { of: 'workspace' as const, limit: limits.together ?? unlimited, mailboxId: null },
  ]
  const exceeded: Exceeded[] = []
  for (const { of, limit, mailboxId: by } of scopes) {
    if (limit === unlimited) continue
    const used = await sumSent(tx, { workspaceId, mailboxId: by }, after)
    exceeded.push(...exceededOf(of, limit, used, asked))
  }
  const [worst] = exceeded.toSorted((a, b) => a.fits - b.fits)
  if (worst !== undefined) {
    const by = limits.together === null ? mailboxId : null
    const roomAt = findRoom({
      asked,
      sent: await listSent(tx, { workspaceId, mailboxId: by }, mailboxId, after),
      limitsAt: (at) => limitsAt(app.config, knownSince, at),
      steps: rampSteps(knownSince, now),
    })
    throw tooMuch({ ...worst, roomAt: roomAt?.toISOString() ?? null })
  }
  const sendingId = newId()
  await insertSending(tx, { id: sendingId, workspaceId, mailboxId, at: now, ...asked })
  return { sendingId, newCorrespondents: added }
}

/** The older of the workspace and the mailbox's domain: an established domain keeps its limits when it moves. */
export const senderKnownSince = async (
  db: Db,
  { workspaceId, id }: Sender,
  workspace: { createdAt: Date },
): Promise<Date> => {
  const domainId = mailboxRows(db).clearSelect().select('domainId').where('id', '=', id)
  const domain = await domainRows(db)
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', domainId)
    .executeTakeFirst()
  return domain !== undefined && domain.createdAt < workspace.createdAt
    ? domain.createdAt
    : workspace.createdAt
}

const unlimited: Amounts = { recipients: null, newRecipients: null }

/** The recipients outside the workspace, each once, in lower case. */
export const outsideOf = async (
  app: App,
  db: Db,
  workspaceId: string,
  recipients: readonly string[],
): Promise<string[]> => {
  const byDomain = Map.groupBy(new Set(recipients.map(withAsciiDomain)), domainOf)
  const own = await ownNames(db, workspaceId, [...byDomain.keys()])
  for (const name of [...own, app.config.mailHost]) byDomain.delete(name)
  return [...byDomain.values()].flat()
}

const withAsciiDomain = (address: string): string => {
  const domain = domainOf(address)
  return `${address.slice(0, -domain.length)}${domainToAscii(domain) ?? domain}`.toLowerCase()
}

type Exceeded = Omit<SendingLimit, 'roomAt'>

const exceededOf = (of: SendingLimit['of'], limits: Amounts, used: Sent, asked: Sent): Exceeded[] =>
  (['recipients', 'newRecipients'] as const).flatMap((what) => {
    const limit = limits[what]
    if (limit === null || used[what] + asked[what] <= limit) return []
    const kind = what === 'recipients' ? ('recipients' as const) : ('new-recipients' as const)
    const fits = Math.max(0, limit - used[what])
    return [{ kind, of, limit, used: used[what], asked: asked[what], fits }]
  })

const tooMuch = (data: SendingLimit): AppError =>
  new AppError('SENDING_LIMIT', { data, message: limitSentence(data, asUtc) })

const asUtc = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`

const stopped = (row: StopRow): AppError =>
  new AppError('MAILBOX_SENDING_STOPPED', {
    data: toStop(row),
    message: `${stopSentence(row)} ${whoResumes(row)}`,
  })

export const toStop = ({
  stoppedAt,
  failed,
  ended,
  example,
  operatorReason,
}: StopRow): SendingStop => ({
  at: stoppedAt.toISOString(),
  failed,
  ended,
  example,
  operatorReason,
})

/** Refunds a message that was taken back before it was sent. */
export const refundSending = async (
  tx: Db,
  { workspaceId, id: mailboxId }: Sender,
  { sendingId, newCorrespondents }: Counted,
): Promise<void> => {
  if (sendingId === null) return
  await deleteSending(tx, workspaceId, sendingId)
  await deleteCorrespondents(tx, { workspaceId, mailboxId }, newCorrespondents)
}
