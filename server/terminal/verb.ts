/** The shape of a command of the operator's tool. */
import type { App } from '#server/app.ts'
import type { Action } from '#server/features/operators/operators.ts'
import type { Answer } from './answers.ts'

/** What a command has: no secrets, no blobs, no doors. */
export type TerminalApp = Pick<App, 'config' | 'db' | 'clock' | 'dns'>

export type Verb = {
  /** What follows the verb; in brackets what may be left out. */
  takes: string
  does: string
  /** How many words it takes. */
  words: readonly [least: number, most: number]
  run: (app: TerminalApp, ...words: string[]) => Promise<Answer>
  /** Of a change that keeps no record itself. */
  notes?: (...words: string[]) => Action
}

/** A verb was given what it does not take; the message says what it takes. */
export class WrongWords extends Error {}
