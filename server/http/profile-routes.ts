import type { FastifyInstance } from 'fastify'
import * as routes from '#contract/profile.ts'
import type { App } from '#server/app.ts'
import { changePassword } from '#server/features/auth/accounts/change-password.ts'
import { editProfile, getProfile } from '#server/features/auth/accounts/edit-profile.ts'
import { serve } from './serve.ts'

export const registerProfileRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, routes.getProfile, (_input, who) => getProfile(app, who))
  serve(server, app, routes.editProfile, ({ body }, who) => editProfile(app, who, body))
  serve(server, app, routes.changePassword, async ({ body }, who) => {
    await changePassword(app, who, body)
    return { message: 'Password updated successfully.' }
  })
}
