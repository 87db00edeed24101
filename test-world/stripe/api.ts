/** The calls of the stage. A path that it does not know is a fault of the test. */

import { taxIdsOf } from './buyer.ts'
import type { Events } from './events.ts'
import { type Form, part, text } from './form.ts'
import type { Intent } from './object-types.ts'
import { type Objects, Refusal } from './objects.ts'

type Asked = { method: string; path: string; query: URLSearchParams; form: Form }
type Answer = (objects: Objects, asked: Asked, id: string, events: Events) => unknown

export const answerApi = (objects: Objects, events: Events, asked: Asked): unknown => {
  objects.expireOld()
  for (const [pattern, answer] of routes) {
    const found = new RegExp(`^${pattern.replaceAll(':id', '([\\w]+)')}$`).exec(
      `${asked.method} ${asked.path.slice('/v1'.length)}`,
    )
    if (found) return answer(objects, asked, found[1] ?? '', events)
  }
  throw new Refusal(404, {
    ...{ type: 'invalid_request_error', message: `Unrecognized request URL: ${asked.path}` },
  })
}

const listed = (data: readonly object[]) => ({ object: 'list', data, has_more: false, url: '/v1' })

type Listed = { customer?: string | null; payment_intent?: string | null; created: number }

const matching = <T extends Listed>(all: Iterable<T>, { query }: Asked): T[] =>
  [...all]
    .filter(({ customer, payment_intent, created }) => {
      const wanted = (key: string, value: unknown) => [null, value].includes(query.get(key))
      const since = Number(query.get('created[gte]') ?? 0)
      return (
        wanted('customer', customer) && wanted('payment_intent', payment_intent) && created >= since
      )
    })
    .reverse()
    .slice(0, Number(query.get('limit') ?? 10))

const routes: readonly (readonly [string, Answer])[] = [
  ['POST /customers', (objects, { form }) => objects.newCustomer(form)],
  ['POST /customers/:id', (objects, { form }, id) => objects.changeCustomer(id, form)],
  [
    'GET /customers/:id',
    (objects, { query }, id) => {
      const customer = objects.find(objects.customers, id)
      if (customer.deleted) return { id, object: 'customer', deleted: true }
      const expanded = [...query].flatMap(([key, value]) =>
        key.startsWith('expand[') ? value : [],
      )
      const method = customer.invoice_settings.default_payment_method
      const isWithMethod = expanded.includes('invoice_settings.default_payment_method')
      return {
        ...customer,
        ...(expanded.includes('tax_ids') && { tax_ids: listed(taxIdsOf(objects, id)) }),
        ...(isWithMethod &&
          method !== null && {
            invoice_settings: { default_payment_method: objects.find(objects.methods, method) },
          }),
      }
    },
  ],
  [
    'GET /customers/:id/payment_methods',
    (objects, _asked, id) => listed(objects.methodsOf(objects.find(objects.customers, id).id)),
  ],
  ['GET /payment_methods/:id', (objects, _asked, id) => objects.find(objects.methods, id)],
  ['POST /checkout/sessions', (objects, { form }) => objects.newSession(form)],
  [
    'GET /checkout/sessions',
    (objects, asked) => listed(matching(objects.sessions.values(), asked)),
  ],
  ['GET /checkout/sessions/:id', (objects, _asked, id) => objects.find(objects.sessions, id)],
  ['POST /checkout/sessions/:id/expire', (objects, _asked, id) => objects.expire(id)],
  ['POST /payment_intents', (objects, { form }) => objects.charge(form)],
  ['GET /payment_intents', (objects, asked) => listed(matching(objects.intents.values(), asked))],
  ['GET /payment_intents/:id', (objects, _asked, id) => objects.find(objects.intents, id)],
  ['POST /payment_intents/:id/cancel', (objects, _asked, id) => objects.cancel(id)],
  [
    'POST /refunds',
    (objects, { form }) =>
      objects.refund(text(form, 'payment_intent'), Number(text(form, 'amount')), {
        refund: text(part(form, 'metadata'), 'refund'),
      }),
  ],
  ['GET /refunds', (objects, asked) => listed(matching(objects.refunds.values(), asked))],
  ['GET /refunds/:id', (objects, _asked, id) => objects.find(objects.refunds, id)],
  ['GET /disputes', (objects, asked) => listed(matching(objects.disputes.values(), asked))],
  ['GET /disputes/:id', (objects, _asked, id) => objects.find(objects.disputes, id)],
  [
    'GET /charges/:id',
    (objects, _asked, id) => {
      const ofCharge = ({ latest_charge }: Intent) => latest_charge === id
      const intent = [...objects.intents.values()].find(ofCharge)
      return objects.chargeOf(objects.find(objects.intents, intent?.id ?? id))
    },
  ],
  [
    'POST /billing_portal/sessions',
    (objects, { form }) => objects.newPortal(text(form, 'customer'), text(form, 'return_url')),
  ],
  ['GET /events', (_objects, { query }, _id, events) => events.list(query)],
]
