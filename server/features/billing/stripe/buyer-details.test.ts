import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Who } from '#server/features/accounts/who.ts'
import { getInvoice } from '#server/features/billing/invoices.ts'
import { payForMailboxes } from '#server/features/billing/pay-for-mailboxes.ts'
import { getCompany, saveBuyer } from '#server/features/workspaces/company-profile.ts'
import type { TestApp } from '#test-world/app.ts'
import { linesBySystem } from '#test-world/audit-lines.ts'
import { aMailbox } from '#test-world/builders.ts'
import { aMember, anActiveDomain } from '#test-world/members.ts'
import {
  addTaxId,
  checkTaxId,
  deleteTaxId,
  writeAddress,
  writeName,
} from '#test-world/stripe/buyer.ts'
import type { StripeStage } from '#test-world/stripe/stage.ts'
import { aStripeApp } from '#test-world/stripe/stripe-app.ts'
import { readCustomer } from './card-store.ts'
import { refreshCustomer, requireCustomer } from './stripe-customer.ts'
import { keepEvent, lookAtEvents } from './take-events.ts'

let app: TestApp
let stage: StripeStage
let who: Who
let customer: string
beforeAll(async () => {
  ;({ app, stage } = await aStripeApp())
  stage.events.isPrompt = false
})
afterAll(() => app.close())
beforeEach(async () => {
  who = await aMember(app)
  customer = await requireCustomer(app, who.workspaceId)
})

/** In another order, and each twice. */
const hearAll = async () => {
  const events = stage.events.waiting.splice(0).reverse()
  for (const event of [...events, ...events]) await keepEvent(app, event)
  await lookAtEvents(app)
  app.clock.advance({ minutes: 1 })
}

const BERLIN = {
  ...{ line1: 'Unter den Linden 1', line2: 'Hof 2', postal_code: '10117' },
  ...{ city: 'Berlin', country: 'DE' },
}
const OURS = {
  ...{ address: 'Unter den Linden 1, Hof 2', zipCode: '10117', city: 'Berlin', country: 'DE' },
}

test('an address and a VAT ID of the portal stand on the next invoice, and not on the one before', async () => {
  const before = await order()
  writeAddress(stage, customer, { line1: 'Pariser Platz 3', city: 'Berlin' })
  writeAddress(stage, customer, BERLIN)
  const { id } = addTaxId(stage, customer, 'DE111111111')
  deleteTaxId(stage, id)
  addTaxId(stage, customer, 'DE123456789')
  await hearAll()
  expect(await getCompany(app, who)).toMatchObject({ ...OURS, vatId: 'DE123456789' })
  const after = await order()
  expect((await getInvoice(app, who, after)).buyer).toEqual({
    name: 'Analytical Engines',
    address: 'Unter den Linden 1, Hof 2\n10117 Berlin\nGermany',
    vatId: 'DE123456789',
  })
  expect((await getInvoice(app, who, before)).buyer).toMatchObject({ address: '', vatId: '' })
  expect(await linesBySystem(app, who)).toEqual([['buyerChanged', 'Address, VAT ID']])
})

const order = async (): Promise<string> => {
  const { id } = await aMailbox(app, { domain: await anActiveDomain(app, who), status: 'inactive' })
  return (await payForMailboxes(app, who, [id], null))._id
}

test('a VAT ID counts when it is checked, and no longer when it is refused or taken away', async () => {
  const vatId = async () => {
    await hearAll()
    return (await getCompany(app, who)).vatId
  }
  const first = addTaxId(stage, customer, 'DE123456789', 'pending')
  expect(await vatId()).toBe('')
  checkTaxId(stage, first.id, 'verified')
  expect(await vatId()).toBe('DE123456789')
  const second = addTaxId(stage, customer, 'ATU12345678', 'pending')
  expect(await vatId()).toBe('DE123456789')
  checkTaxId(stage, second.id, 'unverified')
  deleteTaxId(stage, first.id)
  expect(await vatId()).toBe('')
  addTaxId(stage, customer, 'GB 123 4567 89', 'unavailable')
  expect(await vatId()).toBe('GB 123 4567 89')
  addTaxId(stage, customer, 'no <b>number</b>')
  expect(await vatId()).toBe('GB 123 4567 89')
})

test('what an Admin writes here later stays, until it changes at Stripe again', async () => {
  writeAddress(stage, customer, BERLIN)
  await hearAll()
  const written = { ...OURS, name: 'Engines', vatId: '', address: 'Am Tacheles 1' }
  await saveBuyer(app, who, written)
  // A card is saved, a name is changed: the address there is an old one.
  stage.objects.attach(customer, '4242424242424242')
  writeAddress(stage, customer, BERLIN)
  await hearAll()
  expect(await getCompany(app, who)).toMatchObject(written)
  writeAddress(stage, customer, { ...BERLIN, line1: '1 Main Street', state: 'TX', country: 'US' })
  await hearAll()
  expect(await getCompany(app, who)).toMatchObject({
    ...{ name: 'Engines', address: '1 Main Street, Hof 2', city: 'Berlin, TX', country: 'usa' },
  })
  const before = await getCompany(app, who)
  writeAddress(stage, customer, null)
  writeAddress(stage, customer, { ...BERLIN, country: 'XX' })
  await hearAll()
  expect(await getCompany(app, who)).toEqual(before)
})

test('a name that changes in the portal stands on the next invoice; the one that we told Stripe does not', async () => {
  // Asked before it had a name there.
  const { name } = stage.objects.living(customer)
  for (const each of ['', name]) {
    writeName(stage, customer, each)
    await hearAll()
  }
  expect((await getCompany(app, who)).name).toBe('')
  writeName(stage, customer, 'Engines & Sons')
  await hearAll()
  expect((await getInvoice(app, who, await order())).buyer).toMatchObject({
    name: 'Engines & Sons',
  })
  await saveBuyer(app, who, { ...OURS, name: 'Lovelace', vatId: '' })
  writeAddress(stage, customer, BERLIN)
  for (const name of ['', ' ']) {
    writeName(stage, customer, name)
    await hearAll()
  }
  expect((await getCompany(app, who)).name).toBe('Lovelace')
  const lines = await linesBySystem(app, who)
  expect(lines).toContainEqual(['buyerChanged', 'Name'])
})

test('a customer of the version before keeps its name here until it changes', async () => {
  const told = JSON.stringify({ vatId: null, address: null })
  await app.db
    .updateTable('cardCustomers')
    .set({ told })
    .where('workspaceId', '=', who.workspaceId)
    .execute()
  await hearAll()
  expect((await getCompany(app, who)).name).toBe('')
  writeName(stage, customer, 'Engines & Sons')
  await hearAll()
  expect((await getCompany(app, who)).name).toBe('Engines & Sons')
})

test('an answer that came after a newer one is asked again', async () => {
  writeAddress(stage, customer, { ...BERLIN, line1: 'Old Street 1' })
  stage.events.waiting.splice(0)
  const look = async () => {
    const row = await readCustomer(app.db, who.workspaceId)
    if (row) await refreshCustomer(app, row)
  }
  let isFirst = true
  stage.trouble = async ({ path }): Promise<'none'> => {
    // The one who asks has read the customer; it changes, and another one asks and writes it down.
    if (!path.endsWith('/payment_methods') || !isFirst) return 'none'
    isFirst = false
    writeAddress(stage, customer, BERLIN)
    await look()
    return 'none'
  }
  await look()
  stage.trouble = () => 'none'
  expect(isFirst).toBe(false)
  expect(await getCompany(app, who)).toMatchObject(OURS)
})
