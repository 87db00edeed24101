import type { FastifyInstance } from 'fastify'
import * as cards from '#contract/workspace/card-payments.ts'
import type { App } from '#server/app.ts'
import { getInvoice } from '#server/features/billing/invoices.ts'
import {
  getSavedCard,
  lookAtInvoice,
  openCheckout,
  openPortal,
  refreshSavedCard,
} from '#server/features/billing/stripe/pay-by-card.ts'
import { takeEvent } from '#server/features/billing/stripe/take-events.ts'
import { rawJsonOf } from '../exchange/read-body.ts'
import { serve } from '../exchange/serve.ts'

export const registerCardRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, cards.openCheckout, ({ params }, who) => openCheckout(app, who, params.id))
  serve(server, app, cards.lookAtInvoice, async ({ params }, who) => {
    await lookAtInvoice(app, who, params.id)
    return getInvoice(app, who, params.id)
  })
  serve(server, app, cards.getSavedCard, (_input, who) => getSavedCard(app, who))
  serve(server, app, cards.refreshSavedCard, (_input, who) => refreshSavedCard(app, who))
  serve(server, app, cards.openPortal, (_input, who) => openPortal(app, who))
  serve(server, app, cards.takeStripeEvent, async (_input, _who, request) => {
    const signature = request.headers['stripe-signature']?.toString() ?? ''
    await takeEvent(app, { payload: rawJsonOf(request), signature })
    return { received: true }
  })
}
