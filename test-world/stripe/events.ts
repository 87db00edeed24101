/** The events of the stage: signed, and delivered as a test wishes: twice, late, in another order, or not at all. */
import Stripe from 'stripe'

export type StripeEvent = { id: string; type: string; created: number; data: { object: object } }

export class Events {
  /** All that happened. */
  readonly all: StripeEvent[] = []
  /** What was not delivered yet. */
  readonly waiting: StripeEvent[] = []
  private made = 0
  /** true: each is delivered at once. */
  isPrompt = true
  private readonly now: () => Date
  private readonly secret: string
  private target: string | null = null
  private under: Promise<unknown> = Promise.resolve()

  constructor(now: () => Date, secret: string) {
    this.now = now
    this.secret = secret
  }

  /** Where they go: a product's address. */
  deliverTo(url: string): void {
    this.target = `${url}/api/v1/stripe/events`
  }

  emit(type: string, object: object): void {
    this.made += 1
    const event = {
      id: `evt_${String(this.made).padStart(8, '0')}`,
      ...{ object: 'event', type, api_version: '2026-10-28.endive', livemode: false },
      ...{
        created: Math.floor(this.now().getTime() / 1000),
        data: { object: structuredClone(object) },
      },
    }
    this.all.push(event)
    this.waiting.push(event)
    if (this.isPrompt && this.target !== null)
      this.under = this.under.then(() => this.deliverWaiting()).catch(() => {})
  }

  /** As the API lists them: newest first. */
  list(query: URLSearchParams) {
    const since = Number(query.get('created[gte]') ?? 0)
    const newest = this.all.filter(({ created }) => created >= since).reverse()
    const after = query.get('starting_after')
    const from = after === null ? 0 : newest.findIndex(({ id }) => id === after) + 1
    const limit = Number(query.get('limit') ?? 10)
    const data = newest.slice(from, from + limit)
    return { object: 'list', data, has_more: from + limit < newest.length, url: '/v1/events' }
  }

  /** Until all that were emitted are delivered. */
  async delivered(): Promise<void> {
    await this.under
  }

  private async deliverWaiting(): Promise<void> {
    for (const event of this.waiting.splice(0)) {
      const status = await this.deliver(event).catch(() => 0)
      // Stripe tries again, for days.
      if (status !== 200) this.waiting.push(event)
    }
  }

  /** @returns the status of the answer */
  async deliver(event: StripeEvent, secret = this.secret, at = this.now()): Promise<number> {
    const payload = JSON.stringify(event)
    const answer = await fetch(this.target ?? '', {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': signatureOf(payload, secret, at),
      },
      body: payload,
    })
    await answer.arrayBuffer()
    return answer.status
  }
}

export const signatureOf = (payload: string, secret: string, at: Date): string =>
  Stripe.webhooks.generateTestHeaderString({
    ...{ payload, secret, timestamp: Math.floor(at.getTime() / 1000) },
  })
