/** What an operator can do from a terminal. Each verb that changes something leaves a record of it (decision 104). */
import { accountVerbs } from './account-verbs.ts'
import { alertVerbs } from './alert-verbs.ts'
import { announceVerbs } from './announce-verbs.ts'
import { backupVerbs, earlyBackupVerbs } from './backup-verbs.ts'
import { healthVerbs } from './health-verbs.ts'
import { keyVerbs } from './key-verbs.ts'
import { leavingVerbs } from './leaving-verbs.ts'
import { listVerbs } from './list-verbs.ts'
import { mailVerbs } from './mail-verbs.ts'
import { mailboxVerbs } from './mailbox-verbs.ts'
import { moneyVerbs } from './money-verbs.ts'
import { queueVerbs } from './queue-verbs.ts'
import { senderVerbs } from './sender-verbs.ts'
import { settingVerbs } from './setting-verbs.ts'
import { upgradeVerbs } from './upgrade-verbs.ts'
import type { EarlyVerb, Verb } from './verb.ts'
import { workspaceVerbs } from './workspace-verbs.ts'

/** By noun and verb, or by one word, as they are typed. */
export const verbs: Record<string, Verb> = {
  ...healthVerbs,
  ...workspaceVerbs,
  ...accountVerbs,
  ...leavingVerbs,
  ...mailboxVerbs,
  ...keyVerbs,
  ...queueVerbs,
  ...mailVerbs,
  ...senderVerbs,
  ...listVerbs,
  ...announceVerbs,
  ...moneyVerbs,
  ...settingVerbs,
  ...backupVerbs,
  ...alertVerbs,
  ...upgradeVerbs,
}

export const earlyVerbs: Record<string, EarlyVerb> = earlyBackupVerbs

type Typed<V> = { name: string; verb: V; words: string[] }

/** The verb that was typed, of two words or one, and what follows it. */
const findIn = <V>(known: Record<string, V>, typed: readonly string[]): Typed<V> | null => {
  for (const length of [2, 1]) {
    const name = typed.slice(0, length).join(' ')
    const verb = Object.hasOwn(known, name) ? known[name] : undefined
    if (verb !== undefined) return { name, verb, words: typed.slice(length) }
  }
  return null
}

export const findEarlyVerb = (typed: readonly string[]) => findIn(earlyVerbs, typed)
export const findVerb = (typed: readonly string[]) => findIn(verbs, typed)

export const usage = (): string => {
  const lines = Object.entries({ ...verbs, ...earlyVerbs }).map(([name, { takes, does }]) => [
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
