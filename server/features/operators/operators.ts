/** Who operates this installation, and what operators do (decision 104). An operator has no right to mail. */
import type { OperatorVerb } from '#contract/operator/actions.ts'
import type { AuditTopic } from '#contract/workspace/audit-log.ts'
import type { App } from '#server/app.ts'
import { OPERATOR, recordChange } from '#server/features/audit/record-change.ts'
import { workspaceRows } from '#server/features/tenants/workspace-queries.ts'
import { newId } from '#server/lib/ids.ts'
import type { Db } from '#server/storage/database.ts'
import { insertAction, insertReceipt, operatorRows } from './operator-queries.ts'

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
  { verb, workspaceId, subject, detail = '', receipt }: Action,
): Promise<string> => {
  const id = newId(at.getTime())
  await insertAction(tx, { id, at, operator, verb, workspaceId, subject, detail })
  await recordForWorkspace(tx, at, { verb, workspaceId, subject, detail })
  if (receipt !== undefined) await insertReceipt(tx, { id, at, ...receipt })
  return id
}

const topics: Partial<Record<OperatorVerb, AuditTopic>> = {
  'workspace export': 'access',
  'user make-admin': 'members',
  'invoice paid': 'money',
  'invoice void': 'money',
  'sender stop': 'mailboxes',
  'sender resume': 'mailboxes',
  'mailbox restore': 'mailboxes',
  'domain limit': 'domains',
}

/** Its Admins see what was done to it, and not who did it. A workspace that has gone has no log. */
const recordForWorkspace = async (
  tx: Db,
  at: Date,
  { verb, workspaceId, subject, detail = '' }: Action,
): Promise<void> => {
  if (workspaceId === null) return
  const found = await workspaceRows(tx).where('id', '=', workspaceId).executeTakeFirst()
  if (found === undefined) return
  await recordChange(tx, at, OPERATOR, {
    ...{ workspaceId, topic: topics[verb] ?? 'settings', action: verb },
    ...{ what: `${verb.charAt(0).toUpperCase()}${verb.slice(1)}`, object: subject },
    ...(detail !== '' && { details: { detail } }),
  })
}
