/** What a check answers. */
import type { HealthFinding, Remedy } from '#contract/operator/health.ts'
import type { App } from '#server/app.ts'
import { shownText } from '#server/dns/verdict.ts'

/** What the terminal has, too. */
export type HealthApp = Pick<App, 'config' | 'db' | 'clock' | 'dns'>

export type Finding = Omit<HealthFinding, 'check'>
export type Check = (app: HealthApp) => Promise<Finding[]>

// Sentences quote what strangers answer.
const finding = (
  state: Finding['state'],
  says: string,
  mending: string,
  remedy: Remedy | null,
): Finding => ({ state, says: shownText(says), mending: shownText(mending), remedy })

export const good = (says: string): Finding => finding('good', says, '', null)

export const wrong = (says: string, mending: string, remedy: Remedy | null = null): Finding =>
  finding('wrong', says, mending, remedy)

/** It could not be tried, or only from elsewhere. */
export const unknown = (says: string, mending = '', remedy: Remedy | null = null): Finding =>
  finding('unknown', says, mending, remedy)

export const record = (name: string, type: string, value: string): Remedy => ({
  ...{ kind: 'record', name, type, value },
})
export const command = (text: string): Remedy => ({ kind: 'command', text })
export const setting = (...lines: string[]): Remedy => ({ kind: 'setting', text: lines.join('\n') })
export const page = (text: string): Remedy => ({ kind: 'page', text })
