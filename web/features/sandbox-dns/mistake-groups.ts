import type { SandboxMistake } from '#contract/dns/sandbox.ts'
import { purposeNames } from '#web/dns-records/record-text.ts'

/** In the order of the page. */
const mistakeGroups: Record<SandboxMistake['group'], string> = {
  ...purposeNames,
  zone: 'The whole zone',
  servers: 'Name servers',
}

/** Without those in which no mistake is offered. */
export const groupsOf = (mistakes: readonly SandboxMistake[]) =>
  Object.entries(mistakeGroups)
    .map(([group, name]) => ({ name, mistakes: mistakes.filter((each) => each.group === group) }))
    .filter((each) => each.mistakes.length > 0)

export const spokenMistakes = (mistakes: readonly Pick<SandboxMistake, 'group' | 'title'>[]) =>
  mistakes.map(({ group, title }) => `${mistakeGroups[group]}: ${title}`).join('; ')
