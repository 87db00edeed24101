/** What the stage of Stripe keeps, as its API answers it. In memory: it outlives a product that is killed. */
import { type Card, cardOf } from './cards.ts'
import { type Form, part, text } from './form.ts'
import type {
  Base,
  Customer,
  Dispute,
  Intent,
  Metadata,
  Method,
  Portal,
  Refund,
  Refused,
  Session,
  TaxId,
} from './object-types.ts'

/** What Stripe refuses: its status and the error of its body. */
export class Refusal extends Error {
  readonly status: number
  readonly body: Record<string, unknown>
  constructor(status: number, body: Record<string, unknown>) {
    super(String(body.message))
    this.status = status
    this.body = body
  }
}

const missing = (id: string): Refusal =>
  new Refusal(404, {
    ...{
      type: 'invalid_request_error',
      code: 'resource_missing',
      message: `No such object: ${id}`,
    },
  })
const wrong = (message: string, code = 'parameter_invalid'): Refusal =>
  new Refusal(400, { type: 'invalid_request_error', code, message })

export type Emit = (type: string, object: Base) => void

export class Objects {
  readonly customers = new Map<string, Customer>()
  readonly methods = new Map<string, Method>()
  readonly sessions = new Map<string, Session>()
  readonly intents = new Map<string, Intent>()
  readonly refunds = new Map<string, Refund>()
  readonly disputes = new Map<string, Dispute>()
  readonly portals = new Map<string, Portal>()
  readonly taxIds = new Map<string, TaxId>()
  private made = 0
  private readonly now: () => Date
  private readonly emit: Emit
  private readonly url: () => string

  constructor(now: () => Date, emit: Emit, url: () => string) {
    this.now = now
    this.emit = emit
    this.url = url
  }

  base(prefix: string, object: string): Base {
    this.made += 1
    const created = Math.floor(this.now().getTime() / 1000)
    return { id: `${prefix}_${String(this.made).padStart(8, '0')}`, object, created }
  }

  private keep<T extends Base>(map: Map<string, T>, made: T): T {
    map.set(made.id, made)
    return made
  }

  find<T extends Base>(map: Map<string, T>, id: string): T {
    const found = map.get(id)
    if (found === undefined) throw missing(id)
    return found
  }

  living(id: string): Customer {
    const customer = this.find(this.customers, id)
    if (customer.deleted) throw missing(id)
    return customer
  }

  newCustomer(form: Form): Customer {
    return this.keep(this.customers, {
      ...{ ...this.base('cus', 'customer'), name: text(form, 'name') },
      ...{ metadata: metadataOf(form), address: null },
      invoice_settings: { default_payment_method: null },
    })
  }

  changeCustomer(id: string, form: Form): Customer {
    const customer = this.living(id)
    const method = text(part(form, 'invoice_settings'), 'default_payment_method')
    if (method !== '') {
      if (this.find(this.methods, method).customer !== id) throw missing(method)
      customer.invoice_settings.default_payment_method = method
    }
    if (text(form, 'name') !== '') customer.name = text(form, 'name')
    this.emit('customer.updated', customer)
    return customer
  }

  deleteCustomer(id: string): void {
    const customer = this.living(id)
    customer.deleted = true
    for (const method of this.methods.values()) if (method.customer === id) method.customer = null
    this.emit('customer.deleted', customer)
  }

  methodsOf(customer: string): Method[] {
    return [...this.methods.values()].filter((method) => method.customer === customer).reverse()
  }

  /** As the customer's portal saves a card. */
  attach(customer: string, number: string): Method {
    const method = this.newMethod(number, customer)
    this.emit('payment_method.attached', method)
    this.living(customer).invoice_settings.default_payment_method = method.id
    this.emit('customer.updated', this.living(customer))
    return method
  }

  detach(id: string): void {
    const method = this.find(this.methods, id)
    const customer = method.customer === null ? undefined : this.customers.get(method.customer)
    if (customer?.invoice_settings.default_payment_method === id)
      customer.invoice_settings.default_payment_method = null
    method.customer = null
    this.emit('payment_method.detached', method)
  }

  newPortal(customer: string, return_url: string): Portal {
    const base = this.base('bps', 'billing_portal.session')
    const url = `${this.url()}/portal/${base.id}`
    return this.keep(this.portals, { ...base, customer: this.living(customer).id, return_url, url })
  }

  private newMethod(number: string, customer: string | null): Method {
    const { brand } = cardOf(number)
    return this.keep(this.methods, {
      ...{ ...this.base('pm', 'payment_method'), type: 'card', customer, number },
      card: { brand, last4: number.slice(-4), exp_month: 4, exp_year: 2032 },
    })
  }

  newSession(form: Form): Session {
    const customer = this.living(text(form, 'customer')).id
    const price = part(part(part(form, 'line_items'), '0'), 'price_data')
    requireLeast(cents(text(price, 'unit_amount')))
    const base = this.base('cs_test', 'checkout.session')
    return this.keep(this.sessions, {
      ...{ ...base, status: 'open', payment_status: 'unpaid', customer, payment_intent: null },
      url: `${this.url()}/pay/${base.id}`,
      ...{ amount_total: cents(text(price, 'unit_amount')), currency: text(price, 'currency') },
      metadata: metadataOf(form),
      ...{ success_url: text(form, 'success_url'), cancel_url: text(form, 'cancel_url') },
    })
  }

  expire(id: string): Session {
    const session = this.find(this.sessions, id)
    if (session.status !== 'open') throw wrong('Only open sessions can be expired')
    Object.assign(session, { status: 'expired', url: null })
    this.emit('checkout.session.expired', session)
    return session
  }

  /** A page is open for a day. */
  expireOld(): void {
    const before = this.now().getTime() / 1000 - 24 * 3600
    for (const { id, status, created } of this.sessions.values())
      if (status === 'open' && created < before) this.expire(id)
  }

  /** What the person does on the page. @returns why the card was refused; null: it is paid */
  pay(id: string, number: string): string | null {
    const session = this.find(this.sessions, id)
    if (session.status !== 'open') throw wrong('This session is not open any more')
    const card = cardOf(number)
    if (card.refused !== null) return card.refused
    const method = this.newMethod(number, session.customer)
    const { amount_total: amount, currency, customer, metadata } = session
    const intent = this.newIntent({ amount, currency, customer, metadata })
    this.succeed(intent, method)
    Object.assign(session, {
      ...{ status: 'complete', payment_status: 'paid', payment_intent: intent.id, url: null },
    })
    this.emit('checkout.session.completed', session)
    return null
  }

  private newIntent(given: Pick<Intent, 'amount' | 'currency' | 'customer' | 'metadata'>): Intent {
    requireLeast(given.amount)
    return this.keep(this.intents, {
      ...{ ...this.base('pi', 'payment_intent'), ...given, status: 'requires_payment_method' },
      ...{ amount_received: 0, payment_method: null, latest_charge: null },
      last_payment_error: null,
    })
  }

  private succeed(intent: Intent, method: Method): void {
    Object.assign(intent, {
      ...{ status: 'succeeded', amount_received: intent.amount, payment_method: method.id },
      latest_charge: `ch_${intent.id}`,
    })
    this.emit('payment_intent.succeeded', intent)
  }

  /** Charges a saved card without its owner. @throws Refusal of a card, with the payment that it leaves */
  charge(form: Form): Intent {
    const customer = this.living(text(form, 'customer')).id
    const method = this.find(this.methods, text(form, 'payment_method'))
    if (method.customer !== customer) throw missing(method.id)
    const [amount, currency] = [cents(text(form, 'amount')), text(form, 'currency')]
    const intent = this.newIntent({ amount, currency, customer, metadata: metadataOf(form) })
    const card: Card = cardOf(method.number)
    const refused = card.refused ?? card.refusedLater
    if (refused === null) {
      this.succeed(intent, method)
      return intent
    }
    const isQuestion = refused === 'authentication_required'
    const why: Refused = {
      ...{ type: 'card_error', code: isQuestion ? refused : 'card_declined' },
      ...{ decline_code: refused, message: 'Your card was declined.' },
    }
    intent.last_payment_error = why
    this.emit('payment_intent.payment_failed', intent)
    throw new Refusal(402, { ...why, payment_intent: { ...intent } })
  }

  cancel(id: string): Intent {
    const intent = this.find(this.intents, id)
    if (intent.status === 'succeeded' || intent.status === 'canceled')
      throw wrong(`It is ${intent.status}`, 'payment_intent_unexpected_state')
    intent.status = 'canceled'
    this.emit('payment_intent.canceled', intent)
    return intent
  }

  /** Of the API, and of the dashboard of Stripe. `amount` 0: all that is left. */
  refund(intentId: string, amount: number, metadata: Metadata = {}): Refund {
    const intent = this.find(this.intents, intentId)
    const left = this.leftOf(intent)
    if (
      [...this.disputes.values()].some(
        (each) => each.payment_intent === intentId && each.status !== 'won',
      )
    )
      throw wrong('It is disputed', 'charge_disputed')
    if (intent.status !== 'succeeded' || left === 0)
      throw wrong('It is refunded', 'charge_already_refunded')
    if (amount > left) throw wrong('More than is left', 'amount_too_large')
    const refund = this.keep<Refund>(this.refunds, {
      ...{ ...this.base('re', 'refund'), amount: amount || left, payment_intent: intentId },
      ...{ charge: intent.latest_charge ?? '', metadata },
      status: 'succeeded',
    })
    this.emit('charge.refunded', { ...this.chargeOf(intent) })
    return refund
  }

  /** The bank of the customer does not take it: the money is ours again. */
  failRefund(id: string): void {
    const refund = this.find(this.refunds, id)
    refund.status = 'failed'
    this.emit('refund.failed', refund)
  }

  dispute(intentId: string): Dispute {
    const intent = this.find(this.intents, intentId)
    const dispute = this.keep<Dispute>(this.disputes, {
      ...{ ...this.base('du', 'dispute'), amount: this.leftOf(intent), payment_intent: intentId },
      charge: intent.latest_charge ?? '',
      status: 'needs_response',
    })
    this.emit('charge.dispute.created', dispute)
    return dispute
  }

  closeDispute(id: string, status: 'won' | 'lost'): void {
    const dispute = this.find(this.disputes, id)
    dispute.status = status
    this.emit('charge.dispute.closed', dispute)
  }

  /** What is kept of a payment. */
  leftOf({ id, amount_received }: Intent): number {
    const refunded = [...this.refunds.values()]
      .filter(({ payment_intent, status }) => payment_intent === id && status === 'succeeded')
      .reduce((sum, { amount }) => sum + amount, 0)
    const taken = [...this.disputes.values()]
      .filter(({ payment_intent, status }) => payment_intent === id && status !== 'won')
      .reduce((sum, { amount }) => sum + amount, 0)
    return amount_received - refunded - taken
  }

  chargeOf(intent: Intent): Base & { payment_intent: string } {
    return {
      id: intent.latest_charge ?? '',
      object: 'charge',
      created: intent.created,
      payment_intent: intent.id,
    }
  }
}

const metadataOf = (form: Form): Metadata =>
  Object.fromEntries(
    Object.entries(part(form, 'metadata')).map(([key, value]) => [key, String(value)]),
  )

const requireLeast = (amount: number): void => {
  if (!(amount >= 50)) throw wrong('Amount must be at least 50', 'amount_too_small')
}

const cents = (digits: string): number => {
  if (!/^\d+$/.test(digits)) throw wrong(`Invalid integer: ${digits}`)
  return Number(digits)
}
