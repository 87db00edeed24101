/** What a person prefers, beside what the company of the workspace has chosen. */
import type {
  Preferences,
  savePreferences as savePreferencesRoute,
  saveWritingPreferences,
} from '#contract/profile.ts'
import type { Input } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import {
  readPreferences,
  storePreferences,
} from '#server/features/accounts/preferences/preference-queries.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { getCompany } from './company-profile.ts'

type Form =
  | Input<typeof savePreferencesRoute>['body']
  | Input<typeof saveWritingPreferences>['body']

export const getPreferences = async (app: App, who: Who): Promise<Preferences> => {
  const { timeZone, timeFormat } = await getCompany(app, who)
  return {
    ...(await readPreferences(app.db, who.userId)),
    company: { timeZone, timeFormat },
    usualUndoSeconds: app.config.undoSeconds,
  }
}

/** Either form: each leaves what the other one saves. */
export const savePreferences = async (app: App, who: Who, form: Form): Promise<Preferences> => {
  await app.db.transaction().execute(async (tx) => {
    await storePreferences(tx, who.userId, form, app.clock.now())
    await announceChange(tx, { topic: 'workspaces', workspaceId: who.workspaceId })
  })
  return getPreferences(app, who)
}

/** The time zone of a person: their own, the company's, else ''. */
export const timeZoneOf = async (app: App, who: Who): Promise<string> => {
  const { timeZone, company } = await getPreferences(app, who)
  return timeZone || company.timeZone
}
