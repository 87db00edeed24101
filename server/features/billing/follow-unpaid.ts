/**
 * Unpaid invoices: reminders 3, 7 and 14 days after they were due, and a week after the last one their mailboxes are suspended.
 * They still receive, nothing is deleted, and the payment resumes them.
 */
import type { App } from '#server/app.ts'
import { signHoldersOut } from '#server/features/accounts/holders.ts'
import { recordBySystem } from '#server/features/audit/system-changes.ts'
import { suspendOverdue } from '#server/features/mailboxes/mailbox-queries.ts'
import { announceMailboxes } from '#server/features/mailboxes/place-mailboxes.ts'
import { DAY_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import type { Db } from '#server/storage/database.ts'
import { type InvoiceRow, lockBillingOf, readInvoice, setInvoice } from './billing-store.ts'
import { mailPayers } from './invoice-mail.ts'
import { lapseOrder } from './stripe/orders.ts'
import { invoiceNumber } from './to-invoice.ts'
import { overdueMail, suspendedMail } from './unpaid-mails.ts'
import { REMINDED_AFTER_DAYS } from './unpaid-steps.ts'
import { readInvoicedMailboxes, readOverdue } from './unpaid-store.ts'

/** An invoice that was overlooked for long gets its reminders one after the other, too. */
const BETWEEN_REMINDERS_DAYS = 3
const SUSPENDED_AFTER_DAYS = 7

const daysAfter = (at: Date, days: number): Date => secondsAfter(at, days * DAY_SECONDS)

type Step = { at: Date; what: 'remind' | 'suspend' }

/** What happens next to an unpaid invoice. */
export const nextStep = ({
  dueAt,
  reminders,
  remindedAt,
}: Pick<InvoiceRow, 'dueAt' | 'reminders' | 'remindedAt'>): Step => {
  const days = REMINDED_AFTER_DAYS[reminders]
  if (days === undefined)
    return { at: daysAfter(remindedAt ?? dueAt, SUSPENDED_AFTER_DAYS), what: 'suspend' }
  const planned = daysAfter(dueAt, days)
  const soonest = remindedAt ? daysAfter(remindedAt, BETWEEN_REMINDERS_DAYS) : planned
  return { at: soonest > planned ? soonest : planned, what: 'remind' }
}

/** One step of each unpaid invoice whose time has come. Running it again, or on two machines at once, does none twice. */
export const followUnpaid = async (app: App): Promise<void> => {
  if (app.config.billing === 'off') return
  const now = app.clock.now()
  const first = daysAfter(now, -(REMINDED_AFTER_DAYS[0] ?? 0))
  for (const { id, workspaceId } of await readOverdue(app.db, first)) {
    if (await isLapsing(app, { id, workspaceId })) continue
    await app.db.transaction().execute(async (tx) => {
      await lockBillingOf(tx, workspaceId)
      // Read again under the lock: it may be paid, credited or reminded of meanwhile.
      const invoice = await readInvoice(tx, workspaceId, id)
      if (invoice?.status !== 'Due' || invoice.suspendedAt) return
      // Nothing can be paid until a bank has decided.
      if (invoice.paymentState === 'disputed') return
      const step = nextStep(invoice)
      if (step.at > now) return
      if (step.what === 'remind') await remind(app, tx, invoice, now)
      else await suspend(app, tx, invoice, now)
    })
  }
}

/** One that Stripe cannot end now is left for the next day, and keeps no other waiting. */
const isLapsing = async (app: App, invoice: Pick<InvoiceRow, 'id' | 'workspaceId'>) => {
  try {
    return await lapseOrder(app, invoice)
  } catch (error) {
    app.log.warn({ err: error }, 'an order that nobody paid could not be taken back')
    return true
  }
}

const remind = async (app: App, tx: Db, invoice: InvoiceRow, now: Date): Promise<void> => {
  const state = { reminders: invoice.reminders + 1, remindedAt: now }
  await setInvoice(tx, invoice, state)
  const next = nextStep({ ...invoice, ...state })
  const mail = overdueMail(app, invoice, next.what === 'suspend' ? next.at : null)
  await mailPayers(app, tx, invoice.workspaceId, mail)
}

const suspend = async (app: App, tx: Db, invoice: InvoiceRow, now: Date): Promise<void> => {
  const { id, workspaceId } = invoice
  await setInvoice(tx, invoice, { suspendedAt: now })
  const ids = await readInvoicedMailboxes(tx, workspaceId, id)
  const suspended = await suspendOverdue(tx, workspaceId, ids, now)
  await signHoldersOut(app, tx, suspended)
  await recordBySystem(tx, now, 'suspendUnpaid', {
    ...{ workspaceId, object: invoiceNumber(invoice) },
    details: { mailboxes: String(suspended.length) },
  })
  if (suspended.length > 0) await announceMailboxes(tx, workspaceId)
  await mailPayers(app, tx, workspaceId, suspendedMail(app, invoice, suspended.length))
}
