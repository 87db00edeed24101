/** A person with two workspaces that pay by card, the stage of Stripe, and all that people, banks, clocks and crashes do to them. */
import type { Who } from '#server/features/accounts/who.ts'
import { followUnpaid } from '#server/features/billing/follow-unpaid.ts'
import { invoiceMonth, listInvoices } from '#server/features/billing/invoices.ts'
import { payForMailboxes } from '#server/features/billing/pay-for-mailboxes.ts'
import { markInvoicePaid, voidInvoice } from '#server/features/billing/settle-invoice.ts'
import { collectPayments } from '#server/features/billing/stripe/collect-payments.ts'
import { lookAtInvoice, openCheckout } from '#server/features/billing/stripe/pay-by-card.ts'
import { mailPayments } from '#server/features/billing/stripe/payment-mails.ts'
import { refundInvoice } from '#server/features/billing/stripe/refund-payment.ts'
import {
  fetchMissedEvents,
  lookAtEvents,
  takeEvent,
} from '#server/features/billing/stripe/take-events.ts'
import { deleteDomainLater, deleteMailboxLater } from '#server/features/deletions/delete-later.ts'
import { endDueDeletions } from '#server/features/deletions/end-deleted.ts'
import { moveDomain } from '#server/features/moves/move-domain.ts'
import type { TestApp } from '../../app.ts'
import { aMailbox, aWorkspace } from '../../builders.ts'
import { aMember, anActiveDomain } from '../../members.ts'
import { addTaxId, deleteTaxId, taxIdsOf, writeAddress } from '../../stripe/buyer.ts'
import { cards } from '../../stripe/cards.ts'
import { type StripeEvent, signatureOf } from '../../stripe/events.ts'
import type { StripeStage, Trouble } from '../../stripe/stage.ts'
import type { Chance } from '../seeded.ts'

export const NOTE = 'Given back by the trial.'
const numbers = Object.keys(cards) as [string, ...string[]]
const GOOD = '4242424242424242'

type Domain = Awaited<ReturnType<typeof anActiveDomain>>

export class World {
  readonly app: TestApp
  readonly stage: StripeStage
  /** Where the person is now. */
  who: Who
  readonly places: string[]
  private readonly chance: Chance
  /** Of the place, for new mailboxes; none after it was moved or deleted. */
  private readonly domains = new Map<string, Domain>()

  private constructor(app: TestApp, stage: StripeStage, chance: Chance, who: Who, other: string) {
    this.app = app
    this.stage = stage
    this.chance = chance
    this.who = who
    this.places = [who.workspaceId, other]
  }

  static async open(app: TestApp, stage: StripeStage, chance: Chance): Promise<World> {
    const who = await aMember(app)
    const { id: workspaceId } = await aWorkspace(app)
    const member = { userId: who.userId, role: 'Admin', createdAt: app.clock.now() } as const
    await app.db
      .insertInto('members')
      .values({ ...member, workspaceId })
      .execute()
    return new World(app, stage, chance, who, workspaceId)
  }

  private async domain(): Promise<Domain> {
    const { workspaceId } = this.who
    const domain = this.domains.get(workspaceId) ?? (await anActiveDomain(this.app, this.who))
    this.domains.set(workspaceId, domain)
    return domain
  }

  /** Of this workspace, oldest first, without credit notes. */
  async invoices() {
    const { items } = await listInvoices(this.app, this.who, { limit: 200 })
    return items.filter(({ kind }) => kind === 'invoice').reverse()
  }

  intents() {
    return [...this.stage.objects.intents.values()].filter(({ metadata }) =>
      this.places.includes(metadata.workspace ?? ''),
    )
  }

  private async someInvoice() {
    const all = await this.invoices()
    const [first, ...rest] = all
    return first === undefined ? null : this.chance.oneOf([first, ...rest])
  }

  private someIntent() {
    const [first, ...rest] = this.intents().filter(({ status }) => status === 'succeeded')
    return first === undefined ? null : this.chance.oneOf([first, ...rest])
  }

  private customer() {
    return [...this.stage.objects.customers.values()].find(
      ({ deleted, metadata }) => !deleted && metadata.workspace === this.who.workspaceId,
    )
  }

  /** Calls break, with a chance of one in `oneOf`. */
  breakCalls(oneOf: number): void {
    const kinds: [Trouble, ...Trouble[]] = ['before', 'after', 'error', 'limit']
    this.stage.trouble = () =>
      this.chance.between(1, oneOf) === 1 ? this.chance.oneOf(kinds) : 'none'
  }

  /** What can happen, by name. Whatever it throws is no fault: a crash, or a refusal. */
  readonly actions: Record<string, () => Promise<unknown>> = {
    order: async () => {
      const { app } = this
      const count = this.chance.between(1, 2)
      const domain = await this.domain()
      for (let n = 0; n < count; n++) await aMailbox(app, { domain, status: 'inactive' })
      return this.payNow()
    },
    'order again': () => this.payNow(),
    pay: async () => {
      const invoice = await this.someInvoice()
      if (invoice?.status !== 'Due') return
      const { url } = await openCheckout(this.app, this.who, invoice._id)
      const number = this.chance.between(1, 2) === 1 ? GOOD : this.chance.oneOf(numbers)
      this.stage.objects.pay(url.split('/').at(-1) ?? '', number)
    },
    'open a page': async () => {
      const invoice = await this.someInvoice()
      if (invoice) await openCheckout(this.app, this.who, invoice._id)
    },
    'close a page': async () => {
      for (const { id, status, metadata } of this.stage.objects.sessions.values())
        if (status === 'open' && this.places.includes(metadata.workspace ?? ''))
          this.stage.objects.expire(id)
    },
    'come back': async () => {
      const invoice = await this.someInvoice()
      if (invoice) await lookAtInvoice(this.app, this.who, invoice._id)
    },
    month: async () => {
      const now = this.app.clock.now()
      await this.sleep()
      this.app.clock.set(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1, 0, 12)))
      await invoiceMonth(this.app)
    },
    hours: async () => {
      const hours = this.chance.oneOf([1, 5, 21, 30])
      if (hours > 23) await this.sleep()
      this.app.clock.advance({ hours })
    },
    days: async () => {
      await this.sleep()
      this.app.clock.advance({ days: this.chance.oneOf([3, 4, 7, 20]) })
      await followUnpaid(this.app)
      await endDueDeletions(this.app)
    },
    'the other workspace': async () => {
      const workspaceId = this.places.find((each) => each !== this.who.workspaceId) ?? ''
      this.who = { ...this.who, workspaceId }
    },
    'move the domain': async () => {
      const to = this.places.find((each) => each !== this.who.workspaceId) ?? ''
      await moveDomain(this.app, this.who, (await this.domain()).id, to)
      this.domains.delete(this.who.workspaceId)
    },
    'delete the domain': async () => {
      await deleteDomainLater(this.app, this.who, (await this.domain()).id)
      this.domains.delete(this.who.workspaceId)
    },
    'delete a mailbox': async () => {
      const [first, ...rest] = await this.mailboxes()
      if (first)
        await deleteMailboxLater(this.app, this.who, this.chance.oneOf([first, ...rest]).id)
    },
    collect: () => this.work(),
    'two at once': () => Promise.all([this.work(), this.work()]),
    events: () => this.deliver(),
    'lose events': async () => void this.stage.events.waiting.splice(0),
    'fetch events': () => fetchMissedEvents(this.app),
    forge: async () => {
      const event = this.stage.events.all.at(-1)
      if (event) await this.take(event, 'whsec_of_somebody_else')
    },
    'refund at Stripe': async () => {
      const intent = this.someIntent()
      if (intent) this.stage.objects.refund(intent.id, this.chance.oneOf([0, 50, 120]))
    },
    refund: async () => {
      const invoice = await this.someInvoice()
      if (!invoice) return
      await refundInvoice(this.app, {
        ...{ workspaceId: this.who.workspaceId, invoiceId: invoice._id, note: NOTE },
        ...{ cents: this.chance.oneOf([60, 200, invoice.amountCents]), askedBy: 'terminal' },
      })
    },
    dispute: async () => {
      const intent = this.someIntent()
      if (intent && this.stage.objects.leftOf(intent) > 0) this.stage.objects.dispute(intent.id)
    },
    decide: async () => this.decide(),
    'change the card': async () => {
      const customer = this.customer()
      if (customer) this.stage.objects.attach(customer.id, this.chance.oneOf(numbers))
    },
    'take the card away': async () => {
      const method = this.customer()?.invoice_settings.default_payment_method
      if (method) this.stage.objects.detach(method)
    },
    'delete the customer': async () => {
      const customer = this.customer()
      if (customer) this.stage.objects.deleteCustomer(customer.id)
    },
    'change the address': async () => {
      const city = this.chance.oneOf(['Berlin', 'Lisbon', 'Oslo', ''])
      const rest = { line1: 'Main Street 1', postal_code: '10117', country: 'DE' }
      const customer = this.customer()
      if (customer) writeAddress(this.stage, customer.id, { ...rest, city })
    },
    'change the VAT ID': async () => {
      const customer = this.customer()
      if (!customer) return
      for (const { id } of taxIdsOf(this.stage.objects, customer.id)) deleteTaxId(this.stage, id)
      addTaxId(this.stage, customer.id, `DE${this.chance.between(100_000_000, 999_999_999)}`)
    },
    'pay by hand': async () => {
      const invoice = await this.someInvoice()
      if (invoice?.status === 'Due') await markInvoicePaid(this.app, invoice.number)
    },
    void: async () => {
      const invoice = await this.someInvoice()
      if (invoice?.status === 'Due') await voidInvoice(this.app, invoice.number)
    },
  }

  /** Days pass, and with them nights: one of them at least fetches what was lost. */
  private async sleep(): Promise<void> {
    const { trouble } = this.stage
    this.stage.trouble = () => 'none'
    await fetchMissedEvents(this.app)
    this.stage.trouble = trouble
    this.stage.forgetKeys()
  }

  private async payNow(): Promise<void> {
    const inactive = (await this.mailboxes()).filter(({ status }) => status === 'inactive')
    const some = inactive.filter(() => this.chance.between(1, 3) > 1).map(({ id }) => id)
    if (some.length > 0) await payForMailboxes(this.app, this.who, some, null)
  }

  private mailboxes() {
    return this.app.db
      .selectFrom('mailboxes')
      .select(['id', 'status'])
      .where('workspaceId', '=', this.who.workspaceId)
      .where('endsAt', 'is', null)
      .execute()
  }

  /** Another process in the place of this one, which is killed. */
  worker: { work(): Promise<void> } | null = null

  async work(): Promise<void> {
    if (this.worker) await this.worker.work()
    else await this.workHere()
  }

  async workHere(): Promise<void> {
    await collectPayments(this.app)
    await lookAtEvents(this.app)
    await mailPayments(this.app)
  }

  /** In any order, some twice, some later. */
  private async deliver(): Promise<void> {
    const { waiting } = this.stage.events
    const some = waiting.splice(0)
    while (some.length > 0) {
      const [event] = some.splice(this.chance.between(0, some.length - 1), 1)
      if (event === undefined) continue
      const fate = this.chance.between(1, 6)
      if (fate === 1) waiting.push(event)
      else await this.take(event)
      if (fate === 2) await this.take(event)
    }
  }

  async take(event: StripeEvent, secret = this.stage.settings.webhookSecret): Promise<void> {
    const payload = Buffer.from(JSON.stringify(event))
    const signature = signatureOf(payload.toString(), secret, this.app.clock.now())
    await takeEvent(this.app, { payload, signature })
  }

  decide(): void {
    const { disputes } = this.stage.objects
    const own = new Set(this.intents().map(({ id }) => id))
    for (const { id, status, payment_intent } of disputes.values())
      if (status === 'needs_response' && own.has(payment_intent))
        this.stage.objects.closeDispute(id, this.chance.oneOf(['won', 'lost']))
  }
}
