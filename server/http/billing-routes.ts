import type { FastifyInstance } from 'fastify'
import {
  IDEMPOTENCY_HEADER,
  listInvoices as listInvoicesRoute,
  pay as payRoute,
} from '#contract/billing.ts'
import type { App } from '#server/app.ts'
import { listInvoices } from '#server/features/billing/list-invoices.ts'
import { payForMailboxes } from '#server/features/mailboxes/pay-for-mailboxes.ts'
import { serve } from './serve.ts'

export const registerBillingRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, listInvoicesRoute, ({ query }, who) => listInvoices(app, who, query))
  serve(server, app, payRoute, ({ body }, who, { headers }) =>
    // Node joins repeated headers of this name with a comma, so it is one text.
    payForMailboxes(app, who, body.mailboxIds, headers[IDEMPOTENCY_HEADER]?.toString() ?? null),
  )
}
