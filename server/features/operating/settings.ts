/** Settings of the installation, for operators. Each change leaves a record (decision 104). */
import { type InstallationSettings, startNames } from '#contract/operator/settings.ts'
import type { App } from '#server/app.ts'
import { priceOf } from '#server/features/billing/price.ts'
import {
  type ChosenSettings,
  readChosen,
  type SettingName,
  startSettings,
  storeChosen,
} from '#server/features/operators/chosen-settings.ts'
import { noteAction, type Operator } from '#server/features/operators/operators.ts'
import type { Db } from '#server/storage/database.ts'

type World = Pick<App, 'db' | 'config' | 'clock'>

export const showSettings = async ({
  db,
  config,
}: Pick<World, 'db' | 'config'>): Promise<InstallationSettings> => ({
  start: startSettings({ config }),
  chosen: await readChosen(db),
  price: config.billing === 'off' ? null : priceOf(config),
})

type Wanted = { [Name in SettingName]?: ChosenSettings[Name] | undefined }

export const changeSettings = async (
  app: World,
  operator: Operator,
  wanted: Wanted,
): Promise<InstallationSettings> => {
  await app.db.transaction().execute(async (tx) => {
    await change(app, tx, operator, 'signUp', wanted.signUp)
    await change(app, tx, operator, 'storageQuotaBytes', wanted.storageQuotaBytes)
    await change(app, tx, operator, 'domainMailboxLimit', wanted.domainMailboxLimit)
  })
  return showSettings(app)
}

/** `value` undefined, or what it is already: nothing is changed. */
const change = async <Name extends SettingName>(
  { clock }: World,
  tx: Db,
  operator: Operator,
  name: Name,
  value: ChosenSettings[Name] | undefined,
): Promise<void> => {
  if (value === undefined || value === (await readChosen(tx))[name]) return
  await storeChosen(tx, name, value)
  const detail = value === null ? 'as the start says' : settingText(name, value)
  const action = {
    verb: 'setting change',
    workspaceId: null,
    subject: startNames[name],
    detail,
  } as const
  await noteAction(tx, clock.now(), operator, action)
}

export const settingText = (name: SettingName, value: string | number): string =>
  name === 'storageQuotaBytes' ? `${Number(value) / 1e9} GB` : String(value)
