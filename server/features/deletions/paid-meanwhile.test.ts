/** What would take an invoice away from a payment: refused while the payment is under way, and otherwise its page is closed first. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hashPassword } from '#server/features/accounts/passwords.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { getInvoice, invoiceMonth, listInvoices } from '#server/features/billing/invoices.ts'
import { payForMailboxes } from '#server/features/billing/pay-for-mailboxes.ts'
import { markInvoicePaid, voidInvoice } from '#server/features/billing/settle-invoice.ts'
import { collectPayments } from '#server/features/billing/stripe/collect-payments.ts'
import { lookAtInvoice, openCheckout } from '#server/features/billing/stripe/pay-by-card.ts'
import { moveDomain, previewMove } from '#server/features/moves/move-domain.ts'
import { deleteAsOperator } from '#server/features/operating/delete-workspace.ts'
import type { TestApp } from '#test-world/app.ts'
import { aMailbox, aUser, aWorkspace, type Domain, letRead } from '#test-world/builders.ts'
import { aMember, anActiveDomain } from '#test-world/members.ts'
import type { StripeStage } from '#test-world/stripe/stage.ts'
import { aStripeApp } from '#test-world/stripe/stripe-app.ts'
import { deleteDomainLater, deleteMailboxLater } from './delete-later.ts'
import { deleteWorkspace } from './delete-workspace.ts'
import { endDueDeletions } from './end-deleted.ts'

const GOOD = '4242424242424242'
const password = 'Engine-No-1!'

let app: TestApp
let stage: StripeStage
let who: Who
let domain: Domain
let mailboxId: string
let to: string
beforeAll(async () => {
  ;({ app, stage } = await aStripeApp())
})
afterAll(() => app.close())
beforeEach(async () => {
  app.clock.set(new Date('2026-11-20T12:00:00Z'))
  who = await aMember(app)
  domain = await anActiveDomain(app, who)
  mailboxId = (await aMailbox(app, { domain, status: 'inactive' })).id
  to = (await aWorkspace(app)).id
  await app.db
    .insertInto('members')
    .values({ workspaceId: to, userId: who.userId, role: 'Admin', createdAt: app.clock.now() })
    .execute()
  const passwordHash = await hashPassword(password, 'test')
  await app.db.updateTable('users').set({ passwordHash }).where('id', '=', who.userId).execute()
  const name = { name: 'Engines' }
  await app.db.updateTable('workspaces').set(name).where('id', '=', who.workspaceId).execute()
})

const order = () => payForMailboxes(app, who, [mailboxId], null)
const pageOf = async (invoiceId: string) =>
  (await openCheckout(app, who, invoiceId)).url.split('/').at(-1) ?? ''
/** Paid by the person; the bank has not answered. */
const payAndWait = async (invoiceId: string) => {
  stage.objects.pay(await pageOf(invoiceId), GOOD)
  const intent = [...stage.objects.intents.values()].at(-1)
  if (intent) intent.status = 'processing'
  return () => {
    if (intent) intent.status = 'succeeded'
  }
}
const invoices = async (workspaceId = who.workspaceId) =>
  (await listInvoices(app, { ...who, workspaceId }, { limit: 50 })).items
const removeAsAdmin = () =>
  deleteWorkspace(app, who, who.workspaceId, { name: 'Engines', password })
const removeAsOperator = () =>
  deleteAsOperator(app, 'terminal', who.workspaceId, { name: 'Engines', isNow: false })

const deeds: Record<string, (number: string) => Promise<unknown>> = {
  'moving the domain': () => moveDomain(app, who, domain.id, to),
  'deleting the mailbox': () => deleteMailboxLater(app, who, mailboxId),
  'deleting the domain': () => deleteDomainLater(app, who, domain.id),
  'deleting the workspace': removeAsAdmin,
  'deleting it as operator': removeAsOperator,
  'marking the invoice paid': (number) => markInvoicePaid(app, number),
  'taking the invoice back': (number) => voidInvoice(app, number),
}

describe.each(Object.entries(deeds))('%s', (_name, deed) => {
  test('is refused while the payment is under way, and the payment ends as usual', async () => {
    const { _id, number } = await order()
    const answer = await payAndWait(_id)
    await expect(deed(number)).rejects.toMatchObject({
      type: 'STATUS_NOT_ALLOWED',
      message: `A payment of invoice ${number} is under way. Please try again in a few minutes.`,
    })
    answer()
    await lookAtInvoice(app, who, _id)
    expect(await getInvoice(app, who, _id)).toMatchObject({ status: 'Paid', credits: [] })
    expect(await invoices()).toHaveLength(1)
  })

  test('closes the page where the invoice could be paid', async () => {
    const { _id, number } = await order()
    const page = await pageOf(_id)
    await deed(number)
    expect(() => stage.objects.pay(page, GOOD)).toThrow('not open')
    expect((await getInvoice(app, who, _id)).openCents).toBe(0)
  })
})

test('an order of which one mailbox works is not taken back for another one', async () => {
  const { id: works } = await aMailbox(app, { domain, status: 'inactive' })
  const { _id } = await payForMailboxes(app, who, [mailboxId, works], null)
  await app.db.updateTable('mailboxes').set({ status: 'active' }).where('id', '=', works).execute()
  await deleteMailboxLater(app, who, mailboxId)
  expect(await getInvoice(app, who, _id)).toMatchObject({ status: 'Due', credits: [] })
})

test('who may not delete the mailbox takes no order back', async () => {
  const { _id } = await order()
  const reader = await aUser(app)
  await letRead(app, { id: mailboxId, workspaceId: who.workspaceId }, reader.id, 'given')
  await expect(
    deleteMailboxLater(app, { ...who, role: 'Editor' }, mailboxId),
  ).rejects.toMatchObject({ type: 'FORBIDDEN' })
  expect(await getInvoice(app, who, _id)).toMatchObject({ status: 'Due', credits: [] })
})

test('a domain does not move while a bank decides about a payment of its invoice', async () => {
  const { _id, number } = await order()
  stage.objects.pay(await pageOf(_id), GOOD)
  await lookAtInvoice(app, who, _id)
  const intent = [...stage.objects.intents.values()].at(-1)
  stage.objects.dispute(intent?.id ?? '')
  await app.db.updateTable('cardPayments').set({ lookAt: app.clock.now() }).execute()
  await collectPayments(app)
  await expect(moveDomain(app, who, domain.id, to)).rejects.toMatchObject({
    message: `A bank has not decided yet about a payment of invoice ${number}.`,
  })
})

test('what was paid of an invoice stays, and only the rest of it moves', async () => {
  const { _id } = await order()
  stage.objects.pay(await pageOf(_id), GOOD)
  await lookAtInvoice(app, who, _id)
  const intent = [...stage.objects.intents.values()].at(-1)
  stage.objects.refund(intent?.id ?? '', 80)
  await app.db.updateTable('cardPayments').set({ lookAt: app.clock.now() }).execute()
  await collectPayments(app)
  expect(await getInvoice(app, who, _id)).toMatchObject({ status: 'Due', openCents: 80 })
  expect(await previewMove(app, who, domain.id)).toMatchObject({ dueInvoices: 1, dueCents: 80 })
  await moveDomain(app, who, domain.id, to)
  expect(await getInvoice(app, who, _id)).toMatchObject({
    ...{ status: 'Paid', openCents: 0, credits: [{ amountCents: -80 }] },
  })
  expect(await invoices(to)).toMatchObject([{ amountCents: 80, status: 'Due' }])
})

test('a workspace does not end while an invoice is being paid, and ends in the next run', async () => {
  const { _id } = await order()
  stage.objects.pay(await pageOf(_id), GOOD)
  await lookAtInvoice(app, who, _id)
  app.clock.set(new Date('2026-12-01T00:12:00Z'))
  await invoiceMonth(app)
  const month = (await invoices())[0]?._id ?? ''
  await removeAsAdmin()
  app.clock.advance({ days: 15 })
  const answer = await payAndWait(month)
  const endedAt = async () =>
    (
      await app.db
        .selectFrom('workspaces')
        .select('endedAt')
        .where('id', '=', who.workspaceId)
        .executeTakeFirstOrThrow()
    ).endedAt
  await endDueDeletions(app)
  expect(await endedAt()).toBeNull()
  answer()
  await lookAtInvoice(app, who, month)
  await endDueDeletions(app)
  expect(await endedAt()).not.toBeNull()
  expect(await getInvoice(app, who, month)).toMatchObject({ status: 'Paid' })
})
