import type { FastifyInstance } from 'fastify'
import * as auth from '#contract/auth.ts'
import type { App } from '#server/app.ts'
import { finishGoogle } from '#server/features/auth/google/finish-google.ts'
import { startGoogle } from '#server/features/auth/google/start-google.ts'
import { clientOf } from './auth-routes.ts'
import { oauthBrowserOf, setOauthCookie, setSessionCookies } from './exchange/cookies.ts'
import { serve } from './serve.ts'

export const registerOauthRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, auth.startGoogle, async (_input, _who, request, reply) => {
    const { url, browserToken } = await startGoogle(app, oauthBrowserOf(app, request))
    setOauthCookie(app, reply, browserToken)
    return { url }
  })

  serve(server, app, auth.finishGoogle, async ({ query }, _who, request, reply) => {
    const started = await finishGoogle(
      app,
      query,
      oauthBrowserOf(app, request),
      clientOf(app, request),
    )
    setSessionCookies(app, reply, started)
    return started.answer
  })
}
