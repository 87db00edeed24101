/** Who operates this installation, and what operators do (decision 104). An operator has no right to mail. */
import type { OperatorVerb } from '#contract/operator/actions.ts'
import type { App } from '#server/app.ts'
import { OPERATOR, recordChange } from '#server/features/audit/record-change.ts'
import { workspaceRows } from '#server/features/tenants/workspace-queries.ts'
import { newId } from '#server/lib/ids.ts'
import type { Db } from '#server/storage/database.ts'
import { insertAction, insertReceipt, operatorRows } from './operator-queries.ts'
import { recordedVerbs } from './recorded-verbs.ts'

/** What a command at the terminal has, too. */
export type OperatorApp = Pick<App, 'db' | 'clock' | 'config'>

/** An e-mail address, or TERMINAL. */
export type Operator = string
export const TERMINAL: Operator = 'terminal'

/** Of a verified account that is no holder. */
export const isOperator = async (
  { config, db }: Pick<App, 'config' | 'db'>,
  user: { id: string; email: string; mailboxId: string | null },
): Promise<boolean> => {
  if (user.mailboxId !== null) return false
  if (config.operators.includes(user.email.toLowerCase())) return true
  return (await operatorRows(db).where('userId', '=', user.id).executeTakeFirst()) !== undefined
}

/** Whether nobody else operates the installation. */
export const isLastOperator = async (
  { config, db }: Pick<App, 'config' | 'db'>,
  user: { id: string; email: string },
): Promise<boolean> => {
  if (!(await isOperator({ config, db }, { ...user, mailboxId: null }))) return false
  if (config.operators.some((address) => address !== user.email.toLowerCase())) return false
  return (await operatorRows(db).where('userId', '!=', user.id).executeTakeFirst()) === undefined
}

export type Action = {
  verb: OperatorVerb
  /** The workspace that it concerns. */
  workspaceId: string | null
  /** Of an account: the workspaces that it is in. */
  memberOf?: readonly string[]
  /** A name, an address or a number. */
  subject: string
  /** The reason, or the new value. */
  detail?: string
  /** Who has to be told of it, and what. */
  receipt?: Receipt
}

/** Kept, and mailed by a worker (`mail-receipts.ts`): a terminal writes no mail. */
export type Receipt = {
  subject: string
  /** Paragraphs. */
  lines: string[]
  recipients: string[]
}

/** Runs a change of an operator and keeps a record of it, or neither. `action` null: nothing was changed. */
export const operate = <Answer>(
  { db, clock }: Pick<OperatorApp, 'db' | 'clock'>,
  operator: Operator,
  change: (tx: Db) => Promise<{ action: Action | null; answer: Answer }>,
): Promise<Answer> =>
  db.transaction().execute(async (tx) => {
    const { action, answer } = await change(tx)
    if (action !== null) await noteAction(tx, clock.now(), operator, action)
    return answer
  })

/** @returns the id of the record, which is that of the receipt, too */
export const noteAction = async (
  tx: Db,
  at: Date,
  operator: Operator,
  action: Action,
): Promise<string> => {
  const { verb, workspaceId, subject, detail = '', receipt } = action
  const id = newId(at.getTime())
  await insertAction(tx, { id, at, operator, verb, workspaceId, subject, detail })
  await recordForWorkspaces(tx, at, action)
  if (receipt !== undefined) await insertReceipt(tx, { id, at, ...receipt })
  return id
}

/** Its Admins see what was done to it, and not who did it. A workspace that has gone has no log. */
const recordForWorkspaces = async (
  tx: Db,
  at: Date,
  { verb, workspaceId, memberOf = [], subject, detail = '' }: Action,
): Promise<void> => {
  const recorded = recordedVerbs[verb]
  if ('never' in recorded) return
  const ids = workspaceId === null ? memberOf : [workspaceId]
  if (ids.length === 0) return
  for (const { id } of await workspaceRows(tx).where('id', 'in', ids).execute())
    await recordChange(tx, at, OPERATOR, {
      ...{ ...recorded, workspaceId: id, action: verb, object: subject },
      ...(detail !== '' && { details: { detail } }),
    })
}
