/** Creates the sample mailboxes, pays for them month by month and suspends some, through the product's features. */
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { invoiceMonth, listInvoices } from '#server/features/billing/invoices.ts'
import { payForMailboxes } from '#server/features/billing/pay-for-mailboxes.ts'
import { markInvoicePaid } from '#server/features/billing/settle-invoice.ts'
import { limitMailboxes } from '#server/features/domains/limit-mailboxes.ts'
import { createMailbox, editMailbox } from '#server/features/mailboxes/edit-mailbox.ts'
import { generateMailboxes } from '#server/features/mailboxes/generate-mailboxes.ts'
import { atTime, daysBefore } from './at-time.ts'
import { type ActiveDomain, activeDomains, OWN_DOMAIN, SHOP_DOMAIN } from './domain-plan.ts'
import { MAILBOX_LIMIT, USED_BYTES } from './figures.ts'
import { personAt, type Team } from './people.ts'

/** Mailboxes that the Admin reads: the creator of a mailbox may read it. */
const ownMailboxes = [
  { firstName: 'Wanda', lastName: 'Kowalska', localPart: 'wanda' },
  { firstName: 'Mateo', lastName: 'Alvarez', localPart: 'mateo' },
  { firstName: 'Support', lastName: 'Team', localPart: 'support' },
  { firstName: 'Front', lastName: 'Desk', localPart: 'hello' },
  // View Mail opens the newest mailbox first.
  { firstName: 'Nora', lastName: 'Fernhill', localPart: 'nora' },
]
const shopMailbox = { firstName: 'Book', lastName: 'Orders', localPart: 'orders' }
const SIGNATURE = '<p><strong>Nora Fernhill</strong><br>Fernhill Studio</p>'

type Made = { id: string; domain: ActiveDomain; isSuspended: boolean }

export const seedMailboxes = async (app: App, team: Team): Promise<void> => {
  const made = (
    await Promise.all(activeDomains.map((domain, n) => makeMailboxes(app, team, domain, n)))
  ).flat()
  // The mails of months ago are not told on the terminal, and the invoices of that time were paid by hand.
  const config = { ...app.config, billing: 'invoice' as const, stripe: null }
  const isByCard = app.config.billing === 'stripe'
  await payMonthByMonth({ ...app, config, say: () => {} }, team.admin, made, isByCard)
  for (const { id, isSuspended } of made)
    if (isSuspended) await editMailbox(app, team.admin, id, { status: 'suspended' })
}

const makeMailboxes = async (
  app: App,
  { admin, editor }: Team,
  domain: ActiveDomain,
  n: number,
): Promise<Made[]> => {
  const { name, active = 0, suspended = 0, unpaid = 0, addedDaysAgo } = domain
  const madeAt = daysBefore(app.clock.now(), addedDaysAgo - 0.5)
  await limitMailboxes(app.db, name, MAILBOX_LIMIT)
  const ids: string[] = []
  const byHand = name === OWN_DOMAIN ? ownMailboxes : name === SHOP_DOMAIN ? [shopMailbox] : []
  for (const { localPart, ...person } of byHand) {
    const signature = localPart === 'nora' ? { signature: SIGNATURE } : {}
    const form = { ...person, ...signature, domain: name, email: `${localPart}@${name}` }
    // One after the other, so that their order is defined.
    const then = atTime(app, new Date(madeAt.getTime() + ids.length * 60_000))
    ids.push((await createMailbox(then, admin, form))._id)
  }
  const count = active + suspended + unpaid - ids.length
  if (count > 0) {
    const names = Array.from({ length: count }, (_, at) => personAt(n * 5 + at))
    const form = { domains: [name], count, names }
    ids.push(...(await generateMailboxes(atTime(app, madeAt), editor, form)).map(({ _id }) => _id))
  }
  return ids.map((id, at) => ({ id, domain, isSuspended: at >= active && at < active + suspended }))
}

/** Mailboxes of the same weeks are paid together; each first of a month brings the next invoice. */
const payMonthByMonth = async (
  app: App,
  admin: Who,
  made: readonly Made[],
  isLastPaid: boolean,
): Promise<void> => {
  const now = app.clock.now()
  const paying = [100, 80, 60].map((daysAgo, n, all) => {
    const before = all[n - 1] ?? Number.POSITIVE_INFINITY
    const ids = made
      .filter(({ domain: { addedDaysAgo: days } }) => days > daysAgo && days <= before)
      .map(({ id }) => id)
    const at = daysBefore(now, daysAgo)
    return { at, run: (then: App) => payForMailboxes(then, admin, ids, null) }
  })
  const first = paying[0]?.at ?? now
  const months = [1, 2, 3, 4]
    .map((n) => new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + n, 1, 0, 12)))
    .filter((at) => at <= now)
    .map((at) => ({ at, run: invoiceMonth }))
  const inTurn = [...paying, ...months].sort((a, b) => a.at.getTime() - b.at.getTime())
  for (const { at, run } of inTurn) await run(atTime(app, at))
  const { items } = await listInvoices(app, admin, { limit: 50 })
  for (const { number, date } of isLastPaid ? items : items.slice(1)) {
    const at = daysBefore(new Date(date), -3)
    await markInvoicePaid(atTime(app, at < now ? at : now), number)
  }
}

/**
 * The only sample data that is set directly: 49 GB of mail would take minutes and a disk to write, so the mailboxes claim that
 * size. The card shows the usual live sum.
 */
export const stateUsedBytes = async (app: App, { workspaceId }: Who): Promise<void> => {
  const mailboxes = await app.db
    .selectFrom('mailboxes')
    .select(['id', 'usedBytes'])
    .where('workspaceId', '=', workspaceId)
    .where('status', '!=', 'inactive')
    .orderBy('email')
    .execute()
  const weights = mailboxes.map((_, n) => 1 + ((n * 37) % 23))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const used = mailboxes.reduce((sum, mailbox) => sum + mailbox.usedBytes, 0)
  let left = USED_BYTES - used
  for (const [n, { id, usedBytes }] of mailboxes.entries()) {
    const isLast = n === mailboxes.length - 1
    const share = isLast ? left : Math.floor(((USED_BYTES - used) * (weights[n] ?? 0)) / total)
    left -= share
    await app.db
      .updateTable('mailboxes')
      .set({ usedBytes: usedBytes + share })
      .where('id', '=', id)
      .execute()
  }
}
