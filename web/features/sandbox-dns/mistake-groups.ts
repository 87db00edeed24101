import type { SandboxMistake } from '#contract/dns/sandbox.ts'
import { purposeNames } from '#web/dns-records/record-text.ts'

/** In the order of the page. */
export const mistakeGroups: Record<SandboxMistake['group'], string> = {
  ...purposeNames,
  zone: 'The whole zone',
  servers: 'Name servers',
}

export const spokenMistakes = (mistakes: readonly Pick<SandboxMistake, 'group' | 'title'>[]) =>
  mistakes.map(({ group, title }) => `${mistakeGroups[group]}: ${title}`).join('; ')
