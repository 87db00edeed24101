/** An operator deletes a workspace: it ends after fourteen days (decision 062), or at once. What goes is counted before, and in the receipt. */
import { AppError, invalidField } from '#contract/errors.ts'
import type {
  DeletionReceipt,
  deleteOperatedWorkspace,
  OperatedDeletion,
} from '#contract/operator/deletions.ts'
import type { Input } from '#contract/route.ts'
import { invoiceRows } from '#server/features/billing/billing-queries.ts'
import { withdrawOrdersOf } from '#server/features/billing/stripe/orders.ts'
import { endOf } from '#server/features/deletions/preview-deletion.ts'
import { countDomains } from '#server/features/domains/deleted-queries.ts'
import { readUse } from '#server/features/mailboxes/deleted-queries.ts'
import {
  noteAction,
  type Operator,
  type OperatorApp,
} from '#server/features/operators/operators.ts'
import { workspaceNamed } from '#server/features/outbox/system-mail.ts'
import { dayOf } from '#server/features/ownership/ownership-mails.ts'
import { markWorkspace } from '#server/features/tenants/workspace-queries.ts'
import { adminEmails } from '#server/features/workspaces/member-emails.ts'
import { sizeText } from '#server/lib/size-text.ts'
import type { Db } from '#server/storage/database.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { requireWorkspace } from './workspaces.ts'

const OTHER_NAME = 'This is not the name of the workspace'

/** @throws NOT_EXISTS */
export const previewOperatedDeletion = (
  { db, clock }: Pick<OperatorApp, 'db' | 'clock'>,
  id: string,
): Promise<OperatedDeletion> => counted(db, id, clock.now())

const counted = async (db: Db, id: string, now: Date): Promise<OperatedDeletion> => {
  const workspace = await requireWorkspace(db, id)
  const { hadMail: _, ...use } = await readUse(db, { workspaceId: workspace.id }, now)
  const open = await invoiceRows(db)
    .where('workspaceId', '=', workspace.id)
    .where('status', '=', 'Due')
    .execute()
  return {
    ...{ ...use, name: workspace.name, mayDelete: true, openInvoices: open.length },
    domains: await countDomains(db, workspace.id),
    endsAt: endOf(now).toISOString(),
    deletedUntil: workspace.endsAt?.toISOString() ?? null,
  }
}

/** `isNow`: the next minute's job erases it. @throws NOT_EXISTS, VALIDATION on `name`, WORKSPACE_DELETED, STATUS_NOT_ALLOWED while an order is being paid */
export const deleteAsOperator = async (
  app: OperatorApp,
  operator: Operator,
  id: string,
  { name: typed, isNow }: Input<typeof deleteOperatedWorkspace>['body'],
): Promise<DeletionReceipt> => {
  const found = await requireWorkspace(app.db, id)
  if (typed.trim() !== found.name.trim()) throw invalidField('name', OTHER_NAME)
  await withdrawOrdersOf(app, { workspaceId: found.id })
  return app.db.transaction().execute(async (tx) => {
    const workspace = await requireWorkspace(tx, id, { isLocked: true })
    const { name, endsAt: before } = workspace
    if (typed.trim() !== name.trim()) throw invalidField('name', OTHER_NAME)
    if (before !== null && !isNow) throw new AppError('WORKSPACE_DELETED')
    const at = app.clock.now()
    const ending = await counted(tx, id, at)
    const endsAt = isNow ? at : endOf(at)
    const recipients = await adminEmails(tx, workspace.id)
    await markWorkspace(tx, workspace.id, { endsAt, deletedBy: `The operator (${operator})` })
    await announceChange(tx, { topic: 'workspaces', workspaceId: workspace.id })
    const lines = receiptLines(name, ending, isNow ? null : endsAt)
    const subject = 'Your Mailstead workspace was deleted by the operator'
    const _id = await noteAction(tx, at, operator, {
      ...{ verb: 'workspace delete', workspaceId: workspace.id, subject: name },
      detail: `${whatEnds(ending)}; ${isNow ? 'at once' : `ends ${endsAt.toISOString().slice(0, 10)}`}`,
      receipt: { subject, lines, recipients },
    })
    return {
      ...{ _id, name, lines, mailedTo: recipients.length },
      ...{ at: at.toISOString(), endsAt: endsAt.toISOString() },
    }
  })
}

type Counted = Pick<
  OperatedDeletion,
  'domains' | 'mailboxes' | 'messages' | 'size' | 'openInvoices'
>

/** '2 domains, 3 mailboxes, 120 messages (1.5 GB), 1 open invoice' */
export const whatEnds = ({ domains, mailboxes, messages, size, openInvoices }: Counted): string =>
  [
    countOf(domains, 'domain', 'domains'),
    countOf(mailboxes, 'mailbox', 'mailboxes'),
    `${countOf(messages, 'message', 'messages')} (${sizeText(size)})`,
    ...(openInvoices === 0 ? [] : [countOf(openInvoices, 'open invoice', 'open invoices')]),
  ].join(', ')

const countOf = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`

/** `endsAt` null: at once. */
const receiptLines = (name: string, counted: Counted, endsAt: Date | null): string[] => [
  `The operator of this installation deleted ${workspaceNamed(name)}, with ${whatEnds({ ...counted, openInvoices: 0 })}.`,
  endsAt === null
    ? 'It is erased at once, with all of its mail, and cannot be taken back.'
    : `It ends on ${dayOf(endsAt)}. Until then everything works as before, and an Admin can take it back in Settings. After that its domains, mailboxes and mail are gone for good.`,
  ...(counted.openInvoices === 0
    ? []
    : [`${countOf(counted.openInvoices, 'open invoice stays', 'open invoices stay')} due.`]),
]
