/** What this installation lacks, as lines: what is wrong first. */
import {
  checkTitles,
  type Health,
  type HealthFinding,
  type Remedy,
} from '#contract/operator/health.ts'
import { checkInstallation } from '#server/features/operating/health/check-installation.ts'
import type { Report } from './answers.ts'
import type { Verb } from './verb.ts'

export const healthVerbs: Record<string, Verb> = {
  check: {
    takes: '',
    does: 'what this installation lacks, and how to mend it; exit code 1 when something is wrong',
    words: [0, 0],
    run: async (app) => reportOf(await checkInstallation(app)),
  },
}

const reportOf = (health: Health): Report => {
  const wrong = health.items.filter(({ state }) => state === 'wrong').length
  return {
    lines: [...health.items.flatMap(linesOf), '', sumOf(health.items, wrong)],
    json: health,
    isFault: wrong > 0,
  }
}

const signs = { wrong: 'WRONG  ', unknown: 'unknown', good: 'good   ' } as const
const INDENT = ' '.repeat(9)

const linesOf = ({ check, state, says, mending, remedy }: HealthFinding): string[] => [
  `${signs[state]}  ${checkTitles[check]}: ${says}`,
  ...(mending === '' ? [] : [`${INDENT}${mending}`]),
  ...(remedy === null ? [] : textOf(remedy).map((line) => `${INDENT}  ${line}`)),
]

const textOf = (remedy: Remedy): string[] =>
  remedy.kind === 'record'
    ? [
        `${remedy.name} ${remedy.type} ${remedy.type === 'TXT' ? `"${remedy.value}"` : remedy.value}`,
      ]
    : remedy.text.split('\n')

const sumOf = (items: readonly HealthFinding[], wrong: number): string => {
  if (wrong > 0) return `${wrong === 1 ? 'One thing is' : `${wrong} things are`} wrong.`
  const unknown = items.filter(({ state }) => state === 'unknown').length
  if (unknown === 0) return 'All is well.'
  return `Nothing is wrong; ${unknown === 1 ? 'one thing' : `${unknown} things`} could not be known.`
}
