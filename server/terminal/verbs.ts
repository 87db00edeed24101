/** What an operator can do from a terminal. Each verb that changes something leaves a record of it (decision 104). */
import { accountVerbs } from './account-verbs.ts'
import { healthVerbs } from './health-verbs.ts'
import { moneyVerbs } from './money-verbs.ts'
import { queueVerbs } from './queue-verbs.ts'
import type { Verb } from './verb.ts'
import { workspaceVerbs } from './workspace-verbs.ts'

/** As they are typed: noun and verb, or a verb that concerns the whole installation. */
export const verbs: Record<string, Verb> = {
  ...healthVerbs,
  ...workspaceVerbs,
  ...accountVerbs,
  ...queueVerbs,
  ...moneyVerbs,
}

/** The verb that the words begin with, and the words after it; null: there is none. */
export const findVerb = (
  typed: readonly string[],
): { name: string; verb: Verb; words: string[] } | null => {
  for (const length of [2, 1]) {
    const name = typed.slice(0, length).join(' ')
    const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined
    if (verb) return { name, verb, words: typed.slice(length) }
  }
  return null
}

export const usage = (): string => {
  const lines = Object.entries(verbs).map(([name, { takes, does }]) => [
    `${name} ${takes}`.trim(),
    does,
  ])
  const width = Math.max(...lines.map(([left = '']) => left.length))
  return [
    'npm run operator -- [--json] check',
    'npm run operator -- [--json] NOUN VERB ...',
    '',
    ...lines.map(([left = '', does = '']) => `  ${left.padEnd(width)}  ${does}`),
  ].join('\n')
}
