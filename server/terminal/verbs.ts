/** What an operator can do from a terminal. Each verb that changes something leaves a record of it (decision 104). */
import { accountVerbs } from './account-verbs.ts'
import { alertVerbs } from './alert-verbs.ts'
import { moneyVerbs } from './money-verbs.ts'
import { queueVerbs } from './queue-verbs.ts'
import type { Verb } from './verb.ts'
import { workspaceVerbs } from './workspace-verbs.ts'

/** By noun and verb, as they are typed. */
export const verbs: Record<string, Verb> = {
  ...workspaceVerbs,
  ...accountVerbs,
  ...queueVerbs,
  ...moneyVerbs,
  ...alertVerbs,
}

export const usage = (): string => {
  const lines = Object.entries(verbs).map(([name, { takes, does }]) => [
    `${name} ${takes}`.trim(),
    does,
  ])
  const width = Math.max(...lines.map(([left = '']) => left.length))
  return [
    'npm run operator -- [--json] NOUN VERB ...',
    '',
    ...lines.map(([left = '', does = '']) => `  ${left.padEnd(width)}  ${does}`),
  ].join('\n')
}
