import type { FastifyInstance } from 'fastify'
import * as routes from '#contract/developers/api-keys.ts'
import type { App } from '#server/app.ts'
import {
  editApiKey,
  endApiKey,
  getApiKey,
  getKeyWithRole,
  getOwnKey,
  listApiKeys,
  makeApiKey,
} from '#server/features/keys/api-keys.ts'
import { mayCall } from '../exchange/key-caller.ts'
import { serve } from '../exchange/serve.ts'

export const registerKeysRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, routes.listApiKeys, (_input, who) => listApiKeys(app, who))
  serve(server, app, routes.getApiKey, ({ params }, who) => getApiKey(app, who, params.id))
  serve(server, app, routes.getOwnKey, (_input, who) => getOwnKey(app, who))
  serve(server, app, routes.listKeyCalls, async ({ params }, who) => {
    const { role, scopes, domains, mailboxes } = await getKeyWithRole(app, who, params.id)
    const key = { role, scopes, isNarrowed: domains !== null || mailboxes !== null }
    return server.servedRoutes
      .filter((route) => mayCall(route, key))
      .map(({ name, method, path, summary }) => ({ name, method, path, summary }))
  })
  serve(server, app, routes.makeApiKey, ({ body }, who) => makeApiKey(app, who, body))
  serve(server, app, routes.editApiKey, ({ params, body }, who) =>
    editApiKey(app, who, params.id, body),
  )
  serve(server, app, routes.endApiKey, async ({ params }, who) => {
    await endApiKey(app, who, params.id)
    return { message: 'API key ended' }
  })
}
