/** One workspace that pays by card, the stage of Stripe, and all that people, banks, clocks and crashes do to them. */

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
import type { TestApp } from '../../app.ts'
import { aMailbox } from '../../builders.ts'
import { aMember, anActiveDomain } from '../../members.ts'
import { cards } from '../../stripe/cards.ts'
import { type StripeEvent, signatureOf } from '../../stripe/events.ts'
import type { StripeStage, Trouble } from '../../stripe/stage.ts'
import type { Chance } from '../seeded.ts'

export const NOTE = 'Given back by the trial.'
const numbers = Object.keys(cards) as [string, ...string[]]
const GOOD = '4242424242424242'

export class World {
  readonly app: TestApp
  readonly stage: StripeStage
  readonly who: Who
  private readonly chance: Chance
  private readonly domain: Awaited<ReturnType<typeof anActiveDomain>>

  private constructor(
    app: TestApp,
    stage: StripeStage,
    chance: Chance,
    made: { who: Who; domain: Awaited<ReturnType<typeof anActiveDomain>> },
  ) {
    this.app = app
    this.stage = stage
    this.chance = chance
    this.who = made.who
    this.domain = made.domain
  }

  static async open(app: TestApp, stage: StripeStage, chance: Chance): Promise<World> {
    const who = await aMember(app)
    return new World(app, stage, chance, { who, domain: await anActiveDomain(app, who) })
  }

  /** Of this workspace, oldest first, without credit notes. */
  async invoices() {
    const { items } = await listInvoices(this.app, this.who, { limit: 200 })
    return items.filter(({ kind }) => kind === 'invoice').reverse()
  }

  intents() {
    const { workspaceId } = this.who
    return [...this.stage.objects.intents.values()].filter(
      ({ metadata }) => metadata.workspace === workspaceId,
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
      const { app, domain } = this
      const count = this.chance.between(1, 2)
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
        if (status === 'open' && metadata.workspace === this.who.workspaceId)
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
    const rows = await this.app.db
      .selectFrom('mailboxes')
      .select('id')
      .where('workspaceId', '=', this.who.workspaceId)
      .where('status', '=', 'inactive')
      .execute()
    const some = rows.filter(() => this.chance.between(1, 3) > 1).map(({ id }) => id)
    if (some.length > 0) await payForMailboxes(this.app, this.who, some, null)
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
