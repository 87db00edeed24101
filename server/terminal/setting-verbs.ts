import { factorRuleForm } from '#contract/account/required-factor.ts'
import { operatedSettings, startNames } from '#contract/operator/settings.ts'
import { requireFactorOfAll } from '#server/features/operating/require-factor.ts'
import { changeSettings, settingText, showSettings } from '#server/features/operating/settings.ts'
import { type SettingName, settingNames } from '#server/features/operators/chosen-settings.ts'
import { TERMINAL } from '#server/features/operators/operators.ts'
import { readSize } from '#server/lib/size-text.ts'
import { type Verb, WrongWords } from './verb.ts'

export const settingVerbs: Record<string, Verb> = {
  'setting list': {
    takes: '',
    does: 'the settings that are changed while Mailstead runs: what holds, and what the start says',
    words: [0, 0],
    run: async (app) => {
      const { start, chosen } = await showSettings(app)
      return {
        head: ['setting', 'holds', 'the start says'],
        rows: settingNames.map((name) => [
          startNames[name],
          settingText(name, chosen[name] ?? start[name]),
          settingText(name, start[name]),
        ]),
        none: '',
      }
    },
  },
  'setting change': {
    takes: 'SIGNUP|STORAGE_QUOTA|DOMAIN_MAILBOX_LIMIT VALUE|default',
    does: 'changes one at once, in every process; default: as the start says',
    words: [2, 2],
    run: async (app, typed = '', value = '') => {
      const name = settingNames.find((each) => startNames[each] === typed.toUpperCase())
      if (name === undefined)
        throw new WrongWords(`Please name one of ${Object.values(startNames).join(', ')}.`)
      const { start, chosen } = await changeSettings(app, TERMINAL, {
        [name]: value === 'default' ? null : readValue(name, value),
      })
      return `${startNames[name]} is ${settingText(name, chosen[name] ?? start[name])} now.`
    },
  },
  'setting second-factor': {
    takes: 'DAYS|off',
    does: 'requires a second factor of everybody, who have so many days to set one up (0 to 30)',
    words: [1, 1],
    run: async (app, days = '') => {
      const asked = /^\d+$/.test(days) ? Number(days) : null
      const read = factorRuleForm.safeParse({ graceDays: asked })
      if (!read.success || (asked === null && days !== 'off'))
        throw new WrongWords('Please give a number of days from 0 to 30, or off.')
      const rule = await requireFactorOfAll(app, TERMINAL, null, asked)
      return asked === null
        ? 'A second factor is not required any more.'
        : `A second factor is required after ${asked} days. People without one: ${rule.peopleWithout}.`
    },
  },
}

const allowed: Record<SettingName, string> = {
  signUp: 'open, invite or closed',
  storageQuotaBytes: 'a size from 1MB to 1PB, for example 75GB',
  domainMailboxLimit: 'a number from 1 to 100000',
}

const readValue = (name: SettingName, value: string): string | number => {
  const meant = {
    signUp: value.toLowerCase(),
    storageQuotaBytes: readSize(value),
    domainMailboxLimit: Number(value),
  }[name]
  const read = operatedSettings.shape[name].safeParse(meant)
  if (!read.success) throw new WrongWords(`${startNames[name]} is ${allowed[name]}, or default.`)
  return read.data
}
