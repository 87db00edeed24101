import PostalMime from 'postal-mime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Who } from '#server/features/accounts/who.ts'
import { saveCompany } from '#server/features/workspaces/company-profile.ts'
import { newId } from '#server/lib/ids.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aMailbox, aUser } from '#test-world/builders.ts'
import { aMember, anActiveDomain } from '#test-world/members.ts'
import { pdfPages } from '#test-world/pdf-text.ts'
import { mailWaitingInvoices } from './invoice-mail.ts'
import { getInvoice, getInvoicePdf, invoiceMonth } from './invoices.ts'
import { payForMailboxes } from './pay-for-mailboxes.ts'
import { markInvoicePaid, voidInvoice } from './settle-invoice.ts'

let app: TestApp
beforeAll(async () => {
  app = await anApp({ config: { tax: { name: 'VAT', rate: 1900 }, currency: 'eur' } })
})
afterAll(() => app.close())

const company = {
  ...{ name: 'Analytical Engines Ltd', vatId: 'GB 123 4567 89', website: '', phone: '+44 20 7946' },
  ...{ address: '12 St James’s Square', zipCode: 'SW1Y 4JH', city: 'London', country: 'uk' },
  ...{ timeZone: 'gmt', timeFormat: '24h' },
}

/** Pays for two mailboxes of one domain and one of another. */
const anInvoice = async (who: Who) => {
  const domains = [await anActiveDomain(app, who), await anActiveDomain(app, who)]
  const [one, other] = domains.map(({ name }) => name).sort()
  const ids: string[] = []
  for (const domain of [...domains, ...domains.filter(({ name }) => name === one)])
    ids.push((await aMailbox(app, { domain, status: 'inactive' })).id)
  const { _id } = await payForMailboxes(app, who, ids, null)
  return { _id, one, other }
}

/** The mails about invoices, oldest first. */
const mailsFor = async (who: Who) => {
  const rows = await app.db
    .selectFrom('deliveries')
    .innerJoin('outboxMessages', 'outboxMessages.id', 'deliveries.outboxMessageId')
    .innerJoin('users', 'users.email', 'deliveries.recipient')
    .innerJoin('members', 'members.userId', 'users.id')
    .select(['deliveries.recipient', 'outboxMessages.blob'])
    .where('members.workspaceId', '=', who.workspaceId)
    .orderBy('outboxMessages.id')
    .execute()
  return Promise.all(
    rows.map(async ({ recipient, blob }) => ({
      recipient,
      mail: await PostalMime.parse(await app.blobs.get(blob)),
    })),
  )
}

describe('an invoice', () => {
  it('holds seller, buyer, period, lines by domain and the tax in the price', async () => {
    const who = await aMember(app)
    await saveCompany(app, who, company)
    const { _id, one, other } = await anInvoice(who)
    expect(await getInvoice(app, who, _id)).toMatchObject({
      ...{ kind: 'invoice', currency: 'eur', status: 'Due', openCents: 600, paidAt: null },
      ...{ periodStart: '2026-11-01T00:00:00.000Z', periodEnd: '2026-11-30T23:59:59.999Z' },
      dueAt: '2026-12-04T23:59:59.999Z',
      seller: {
        ...{ name: 'Post Office', address: '1 High Street\nLondon', vatId: 'GB 999 9999 73' },
        email: 'money@post-office.example',
      },
      buyer: {
        ...{ name: 'Analytical Engines Ltd', vatId: 'GB 123 4567 89' },
        address: '12 St James’s Square\nSW1Y 4JH London\nUnited Kingdom',
      },
      lines: [
        { domain: one, quantity: 2, unitCents: 200, amountCents: 400 },
        { domain: other, quantity: 1, unitCents: 200, amountCents: 200 },
      ],
      ...{ amountCents: 600, netCents: 504, taxName: 'VAT', taxRate: 1900, taxCents: 96 },
      ...{ paymentDetails: 'IBAN GB33 BUKB 2020 1555 5555 55', corrects: null, credits: [] },
    })
  })

  it('names the workspace until it has a company profile', async () => {
    const who = await aMember(app)
    const { _id } = await anInvoice(who)
    expect((await getInvoice(app, who, _id)).buyer).toEqual({
      ...{ name: 'Analytical Engines', address: '', vatId: '' },
    })
  })

  it('stays as it was issued when company, seller, price and tax change', async () => {
    const who = await aMember(app)
    const { _id } = await anInvoice(who)
    const issued = await getInvoice(app, who, _id)
    await saveCompany(app, who, company)
    const later = await anApp({
      database: app.database,
      config: {
        ...{ mailboxPriceCents: 999, currency: 'usd', tax: { name: 'GST', rate: 0 } },
        seller: { name: 'Other', address: '', vatId: '', email: '', paymentDetails: '' },
      },
    })
    expect(await getInvoice(later, who, _id)).toEqual(issued)
    await later.close()
    await markInvoicePaid(app, issued.number)
    expect(await getInvoice(app, who, _id)).toEqual({
      ...issued,
      ...{ status: 'Paid', openCents: 0, paidAt: app.clock.now().toISOString() },
    })
  })

  it('is opened by its own workspace alone', async () => {
    const { _id } = await anInvoice(await aMember(app))
    const other = await aMember(app)
    for (const id of [_id, newId(), 'x', '']) {
      await expect(getInvoice(app, other, id)).rejects.toMatchObject({ type: 'NOT_EXISTS' })
      await expect(getInvoicePdf(app, other, id)).rejects.toMatchObject({ type: 'NOT_EXISTS' })
    }
  })
})

describe('an invoice that the operator takes back', () => {
  it('stays as it was, and a credit note for all of it is mailed once by whoever runs', async () => {
    const who = await aMember(app)
    const { _id } = await anInvoice(who)
    const issued = await getInvoice(app, who, _id)
    const { db, clock, config } = app
    const credit = await voidInvoice({ db, clock, config }, issued.number)
    expect(credit).toMatchObject({ kind: 'credit', amountCents: -600, status: 'Credited' })
    expect(await getInvoice(app, who, _id)).toEqual({
      ...issued,
      ...{ status: 'Credited', openCents: 0 },
      credits: [{ _id: credit._id, number: credit.number, amountCents: -600 }],
    })
    expect(await getInvoice(app, who, credit._id)).toMatchObject({
      ...{ lines: [{ quantity: -2 }, { quantity: -1 }], taxCents: -96 },
      corrects: { number: issued.number },
    })
    expect(await mailsFor(who)).toHaveLength(1)
    await Promise.all([mailWaitingInvoices(app), mailWaitingInvoices(app)])
    await mailWaitingInvoices(app)
    const mails = await mailsFor(who)
    expect(mails.map(({ mail }) => mail.subject)).toEqual([
      `Invoice ${issued.number} from Post Office`,
      `Credit note ${credit.number} from Post Office`,
    ])
    expect(mails[1]?.mail.attachments[0]?.filename).toBe(`${credit.number}.pdf`)
    expect(await invoiceMonth(app)).toBe(0)
  })

  it('is due, and of the series: not paid, not a credit note, not taken back before', async () => {
    const who = await aMember(app)
    const [due, paid] = [await anInvoice(who), await anInvoice(who)]
    const { number } = await getInvoice(app, who, due._id)
    const other = await getInvoice(app, who, paid._id)
    const credit = await voidInvoice(app, number)
    for (const none of [number, credit.number, 'MS-1'])
      await expect(voidInvoice(app, none)).rejects.toMatchObject({ type: 'NOT_EXISTS' })
    await markInvoicePaid(app, other.number)
    await expect(voidInvoice(app, other.number)).rejects.toThrow(`${other.number} is paid`)
  })
})

describe('the database refuses', () => {
  const changes = {
    'another amount': { amountCents: 1 },
    'another buyer': { buyerName: 'Eve' },
    'another number': { number: 999 },
    'another workspace': { workspaceId: newId() },
    'another period': { periodStart: new Date(0) },
  }
  it.each(Object.entries(changes))('%s of an issued invoice', async (_what, change) => {
    const { _id } = await anInvoice(await aMember(app))
    const update = app.db.updateTable('invoices').set(change).where('id', '=', _id)
    await expect(update.execute()).rejects.toThrow('an issued invoice does not change')
  })

  it('another, one more and one less line, and its deletion', async () => {
    const { _id } = await anInvoice(await aMember(app))
    const lines = await app.db
      .selectFrom('invoiceLines')
      .selectAll()
      .where('invoiceId', '=', _id)
      .execute()
    const [line] = lines
    if (!line) throw new Error('no line')
    const ofIt = app.db.updateTable('invoiceLines').where('id', '=', line.id)
    const fixed = 'a line of an issued invoice does not change'
    await expect(ofIt.set({ amountCents: 1 }).execute()).rejects.toThrow(fixed)
    await expect(
      app.db.deleteFrom('invoiceLines').where('id', '=', line.id).execute(),
    ).rejects.toThrow(fixed)
    await expect(
      app.db
        .insertInto('invoiceLines')
        .values({ ...line, id: newId() })
        .execute(),
    ).rejects.toThrow('the lines of an invoice are more than its amount')
    await expect(app.db.deleteFrom('invoices').where('id', '=', _id).execute()).rejects.toThrow(
      'an issued invoice is not deleted',
    )
    expect(lines).toHaveLength(3)
  })

  it('nothing with its workspace, which the database keeps', async () => {
    const who = await aMember(app)
    await anInvoice(who)
    await expect(
      app.db.deleteFrom('workspaces').where('id', '=', who.workspaceId).execute(),
    ).rejects.toThrow(/an issued invoice is not deleted|invoices_workspace_id_fkey/)
  })
})

describe('the mail', () => {
  it('goes once to each Admin, with the same PDF file that the page offers', async () => {
    const who = await aMember(app)
    const [admin, editor] = [await aUser(app), await aUser(app)]
    for (const [user, role] of [[admin, 'Admin'] as const, [editor, 'Editor'] as const])
      await app.db
        .insertInto('members')
        .values({
          ...{ workspaceId: who.workspaceId, userId: user.id, role },
          createdAt: app.clock.now(),
        })
        .execute()
    const { _id } = await anInvoice(who)
    const { filename, content } = await getInvoicePdf(app, who, _id)
    const mails = await mailsFor(who)
    expect(mails).toHaveLength(2)
    expect(mails.map(({ recipient }) => recipient)).toContain(admin.email)
    const number = filename.replace('.pdf', '')
    for (const { mail } of mails) {
      expect(mail.subject).toBe(`Invoice ${number} from Post Office`)
      expect(mail.text).toContain(`http://localhost:8080/dashboard/invoices/${_id}`)
      expect(mail.text).toContain('€6.00, to be paid by 4 December 2026')
      const [file, ...others] = mail.attachments
      expect(others).toEqual([])
      expect(file).toMatchObject({ filename, mimeType: 'application/pdf' })
      const attached = Buffer.from(file?.content as ArrayBuffer)
      expect(pdfPages(attached)).toEqual(pdfPages(content))
    }
    expect(pdfPages(content)[0]).toContain(`Invoice ${number}`)
  })

  it('is not sent for a payment that fails, nor again for the same key or month', async () => {
    const who = await aMember(app)
    const domain = await anActiveDomain(app, who)
    const { id } = await aMailbox(app, { domain, status: 'inactive' })
    await expect(payForMailboxes(app, who, [id, newId()], 'k')).rejects.toThrow()
    expect(await mailsFor(who)).toEqual([])
    await Promise.all([1, 2, 3].map(() => payForMailboxes(app, who, [id], 'k')))
    await invoiceMonth(app)
    expect(await mailsFor(who)).toHaveLength(1)
  })
})
