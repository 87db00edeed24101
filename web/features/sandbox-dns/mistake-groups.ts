import type { SandboxMistake } from '#contract/dns/sandbox.ts'

/** In the order of the page. */
export const mistakeGroups: Record<SandboxMistake['group'], string> = {
  ownership: 'Ownership',
  spf: 'SPF',
  dkim: 'DKIM',
  dmarc: 'DMARC',
  mx: 'MX',
  zone: 'The whole zone',
  servers: 'Name servers',
}

export const spokenMistakes = (mistakes: readonly Pick<SandboxMistake, 'group' | 'title'>[]) =>
  mistakes.map(({ group, title }) => `${mistakeGroups[group]}: ${title}`).join('; ')
