import type { Input } from '#contract/route.ts'
import type { Company, saveBuyer as saveBuyerRoute } from '#contract/workspaces.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { holdWorkspace } from '#server/features/tenants/workspace-queries.ts'
import type { Db } from '#server/storage/database.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { findCompany, storeCompany } from './workspaces-store.ts'

const empty: Company = {
  name: '',
  vatId: '',
  website: '',
  phone: '',
  address: '',
  zipCode: '',
  country: '',
  city: '',
  timeZone: '',
  timeFormat: '',
}

export const companyOf = async (db: Db, workspaceId: string): Promise<Company> =>
  (await findCompany(db, workspaceId)) ?? empty

export const getCompany = (app: App, { workspaceId }: Who): Promise<Company> =>
  companyOf(app.db, workspaceId)

export const saveCompany = (app: App, who: Who, company: Company): Promise<Company> =>
  app.db.transaction().execute(async (tx) => {
    const saved = await storeCompany(tx, who.workspaceId, company, app.clock.now())
    await announceChange(tx, { topic: 'workspaces', workspaceId: who.workspaceId })
    return saved
  })

/** The rest of the profile stays as it is, or empty until its form is saved. */
export const saveBuyer = (app: App, who: Who, buyer: Buyer): Promise<Company> =>
  app.db.transaction().execute(async (tx) => {
    const { workspaceId } = who
    await holdWorkspace(tx, workspaceId)
    return changeBuyer(tx, workspaceId, buyer, app.clock.now())
  })

/** The workspace is held or locked. */
export const changeBuyer = async (
  tx: Db,
  workspaceId: string,
  buyer: Partial<Buyer>,
  at: Date,
): Promise<Company> => {
  const company = { ...(await companyOf(tx, workspaceId)), ...buyer }
  const saved = await storeCompany(tx, workspaceId, company, at)
  await announceChange(tx, { topic: 'workspaces', workspaceId })
  return saved
}

type Buyer = Input<typeof saveBuyerRoute>['body']
