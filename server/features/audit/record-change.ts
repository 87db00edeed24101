/**
 * Records in the audit log of a workspace what is changed there. A route's line is begun before the change and completed after it, so
 * that a server that stops in between leaves a line, never a change without one (decision 118). No secret and no mail is in it.
 */
import { type AuditTopic, BY_OPERATOR, BY_SYSTEM } from '#contract/workspace/audit-log.ts'
import { newOrderedId } from '#server/lib/ids.ts'
import type { Db } from '#server/storage/database.ts'
import { deleteLine, deleteLinesOf, finishLine, insertLine } from './audit-store.ts'

/** Who changed something, and with what. */
export type Actor = {
  userId: string | null
  name: string
  email: string
  /** A browser, an API key, a link. */
  byWhat: string
  ip: string
}

/** What happens by itself: a check, a bill, an end that was due. `recordBySystem` knows the kinds. */
export const SYSTEM: Actor = { userId: null, name: '', email: '', ip: '', byWhat: BY_SYSTEM }

/** Who hosts the installation is not named to its workspaces. */
export const OPERATOR: Actor = { ...SYSTEM, byWhat: BY_OPERATOR }

export type Change = {
  workspaceId: string
  topic: AuditTopic
  /** The name of a route, or a word of its own. */
  action: string
  /** What was done, in words. */
  what: string
  /** The name of what it was done to. */
  object: string
  objectAfter?: string | null
  details?: Record<string, string>
}

export type Line = { workspaceId: string; id: string }

const MOST = 500
/** Of one field: every name that a request may give, and some more. */
const MOST_OF_DETAIL = 200_000
const short = (text: string, most = MOST): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text

const detailsText = (details: Record<string, string> = {}): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(details).map(([name, text]) => [name, short(text, MOST_OF_DETAIL)]),
    ),
  )

/** In the transaction of the change. */
export const recordChange = async (
  tx: Db,
  at: Date,
  actor: Actor,
  change: Change,
): Promise<void> => {
  await write(tx, at, actor, change, true)
}

/** Before a change whose transaction is not known here; then `completeChange` or `forgetChange`. */
export const beginChange = (db: Db, at: Date, actor: Actor, change: Change): Promise<Line> =>
  write(db, at, actor, change, false)

const write = async (
  db: Db,
  at: Date,
  actor: Actor,
  { workspaceId, topic, action, what, object, objectAfter = null, details }: Change,
  isDone: boolean,
): Promise<Line> => {
  // Lines of one millisecond are listed by their id.
  const id = newOrderedId(at.getTime())
  await insertLine(db, {
    ...{ id, workspaceId, at, topic, action, what, isDone },
    ...{ ...actor, object: short(object), details: detailsText(details) },
    objectAfter: objectAfter === null ? null : short(objectAfter),
  })
  return { workspaceId, id }
}

export const completeChange = (
  db: Db,
  line: Line,
  { object, objectAfter, details }: Required<Pick<Change, 'object' | 'objectAfter' | 'details'>>,
): Promise<void> =>
  finishLine(db, line, {
    object: short(object),
    objectAfter: objectAfter === null ? null : short(objectAfter),
    details: detailsText(details),
  })

/** It was refused. */
export const forgetChange = deleteLine

/** The workspace has ended; its invoices are kept. */
export const forgetChanges = deleteLinesOf
