import type { Company } from '#contract/workspaces.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { findCompany, storeCompany } from './workspaces-store.ts'

const empty: Company = {
  name: '',
  website: '',
  phone: '',
  address: '',
  zipCode: '',
  country: '',
  city: '',
  timeZone: '',
  timeFormat: '',
}

export const getCompany = async (app: App, who: Who): Promise<Company> =>
  (await findCompany(app.db, who.workspaceId)) ?? empty

export const saveCompany = (app: App, who: Who, company: Company): Promise<Company> =>
  app.db.transaction().execute(async (tx) => {
    const saved = await storeCompany(tx, who.workspaceId, company, app.clock.now())
    await announceChange(tx, { topic: 'workspaces', workspaceId: who.workspaceId })
    return saved
  })
