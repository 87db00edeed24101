/** The values of the settings: first from the environment, then from the file mailstead.env. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { reasonOf, StartError } from '../lib/ports/bound-ports.ts'
import { type Setting, type SettingName, settings, type Values } from './settings.ts'

export type Environment = Record<string, string | undefined>

export const SETTINGS_FILE = 'mailstead.env'

/** @throws StartError, one line, for a bad value or an unknown name in the file. */
export const readSettings = (environment: Environment, folder: string): Values => {
  const file = readSettingsFile(folder)
  const values = Object.entries(settings).map(([name, setting]) => [
    name,
    // Shells and containers write 'not set' as an empty variable.
    chosen(name, setting, environment[name]?.trim() || file[name]?.trim() || null),
  ])
  return Object.fromEntries(values) as Values
}

const chosen = (name: string, setting: Setting<unknown>, text: string | null): unknown => {
  if (text === null) return setting.default
  const value = setting.kind.parse(text)
  if (value === undefined) throw badSetting(name as SettingName, text)
  return value
}

export const badSetting = (
  name: SettingName,
  value: string,
  allowed: string = settings[name].kind.allowed,
): StartError => {
  return new StartError(`${name} is ${withoutSecret(name, value)}, but it must be ${allowed}.`)
}

const withoutSecret = (name: SettingName, value: string): string => {
  const { hides } = settings[name]
  if (hides === 'all') return `*** (${value.length} characters)`
  return JSON.stringify(hides === 'password' ? value.replace(/^(.*?\/\/)?.*@/, '$1***@') : value)
}

const readSettingsFile = (folder: string): Environment => {
  const path = join(folder, SETTINGS_FILE)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw new StartError(`${path} cannot be read: ${reasonOf(error)}`)
  }
  const file = parseEnv(text)
  for (const name of Object.keys(file))
    if (!Object.hasOwn(settings, name))
      throw new StartError(
        `${path} sets ${JSON.stringify(name)}, which is not a setting; allowed are ${Object.keys(settings).join(', ')}.`,
      )
  return file
}
