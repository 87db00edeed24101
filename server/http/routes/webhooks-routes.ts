import type { FastifyInstance } from 'fastify'
import * as routes from '#contract/developers/webhooks.ts'
import type { App } from '#server/app.ts'
import { listAttempts, replayAttempt, testWebhook } from '#server/features/webhooks/attempts.ts'
import {
  addWebhook,
  changeWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateSecret,
} from '#server/features/webhooks/webhooks.ts'
import { serve } from '../exchange/serve.ts'

export const registerWebhooksRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, routes.listWebhooks, (_input, who) => listWebhooks(app, who))
  serve(server, app, routes.getWebhook, ({ params }, who) => getWebhook(app, who, params.id))
  serve(server, app, routes.addWebhook, ({ body }, who) => addWebhook(app, who, body))
  serve(server, app, routes.changeWebhook, ({ params, body }, who) =>
    changeWebhook(app, who, params.id, body),
  )
  serve(server, app, routes.deleteWebhook, async ({ params }, who) => {
    await deleteWebhook(app, who, params.id)
    return { message: 'Deleted' }
  })
  serve(server, app, routes.rotateWebhookSecret, ({ params }, who) =>
    rotateSecret(app, who, params.id),
  )
  serve(server, app, routes.testWebhook, ({ params }, who) => testWebhook(app, who, params.id))
  serve(server, app, routes.listWebhookAttempts, ({ params, query }, who) =>
    listAttempts(app, who, params.id, query),
  )
  serve(server, app, routes.replayWebhookAttempt, ({ params }, who) =>
    replayAttempt(app, who, params.id, params.attemptId),
  )
}
