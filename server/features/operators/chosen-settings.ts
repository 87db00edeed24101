/**
 * Settings that operators choose while the program runs. A start gives their defaults; what was chosen is read at each use, so
 * that it holds in every process at once.
 */
import { type OperatedSettings, operatedSettings } from '#contract/operator/settings.ts'
import type { App } from '#server/app.ts'
import type { Db } from '#server/storage/database.ts'
import { recallAll, remember } from '#server/storage/installation.ts'

type World = Pick<App, 'db' | 'config'>

export type SettingName = keyof OperatedSettings
/** null: not chosen, so the start's holds. */
export type ChosenSettings = { [Name in SettingName]: OperatedSettings[Name] | null }

export const settingNames = Object.keys(operatedSettings.shape) as SettingName[]

const keyOf = (name: SettingName): string => `setting.${name}`

export const readChosen = async (db: Db): Promise<ChosenSettings> => {
  const kept = await recallAll(db, settingNames.map(keyOf))
  const read = operatedSettings.partial().parse(
    Object.fromEntries(
      settingNames.flatMap((name) => {
        const value = kept.get(keyOf(name))
        return value === undefined ? [] : [[name, JSON.parse(value)]]
      }),
    ),
  )
  const { signUp = null, storageQuotaBytes = null, domainMailboxLimit = null } = read
  return { signUp, storageQuotaBytes, domainMailboxLimit }
}

export const startSettings = ({ config }: Pick<App, 'config'>): OperatedSettings => {
  const { signUp, storageQuotaBytes, domainMailboxLimit } = config
  return { signUp, storageQuotaBytes, domainMailboxLimit }
}

/** What holds now. */
export const settingsNow = async (world: World): Promise<OperatedSettings> => {
  const [start, chosen] = [startSettings(world), await readChosen(world.db)]
  return {
    signUp: chosen.signUp ?? start.signUp,
    storageQuotaBytes: chosen.storageQuotaBytes ?? start.storageQuotaBytes,
    domainMailboxLimit: chosen.domainMailboxLimit ?? start.domainMailboxLimit,
  }
}

/** null: the start's holds again. */
export const storeChosen = async <Name extends SettingName>(
  tx: Db,
  name: Name,
  value: ChosenSettings[Name],
): Promise<void> => remember(tx, keyOf(name), value === null ? null : JSON.stringify(value))
