import { SETTINGS_FILE } from './read-settings.ts'
import { settings } from './settings.ts'

/** The output of --help. */
export const helpText = (): string => {
  const rows = Object.entries(settings).map(
    ([name, { does, kind, defaultText }]) =>
      `  ${name}\n      ${does}\n      Allowed: ${kind.allowed}\n      Default: ${defaultText}\n`,
  )
  return [
    'Mailstead: a mail workspace that anyone can host.',
    '',
    `Settings are environment variables, or lines NAME=value in the file ${SETTINGS_FILE} in this folder.`,
    'The environment wins.',
    '',
    ...rows,
  ].join('\n')
}
