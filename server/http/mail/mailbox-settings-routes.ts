import type { FastifyInstance } from 'fastify'
import {
  changeMailboxSettings,
  getMailboxSettings,
  getStorage as getStorageRoute,
} from '#contract/mail/mailbox-settings.ts'
import {
  getVacation as getVacationRoute,
  setVacation as setVacationRoute,
} from '#contract/mail/vacation.ts'
import type { App } from '#server/app.ts'
import { changeSettings, getSettings } from '#server/features/messages/settings/edit-settings.ts'
import { getStorage } from '#server/features/messages/settings/get-storage.ts'
import { getVacation, setVacation } from '#server/features/messages/vacation/edit-vacation.ts'
import { serve } from '../serve.ts'

export const registerMailboxSettingsRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, getMailboxSettings, ({ params }, who) => getSettings(app, who, params.id))
  serve(server, app, changeMailboxSettings, ({ params, body }, who) =>
    changeSettings(app, who, params.id, body),
  )
  serve(server, app, getStorageRoute, ({ params }, who) => getStorage(app, who, params.id))
  serve(server, app, getVacationRoute, ({ params }, who) => getVacation(app, who, params.id))
  serve(server, app, setVacationRoute, ({ params, body }, who) =>
    setVacation(app, who, params.id, body),
  )
}
