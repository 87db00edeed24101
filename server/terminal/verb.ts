/** The shape of a command of the operator's tool. */
import type { Action, OperatorApp } from '#server/features/operators/operators.ts'
import type { Answer } from './answers.ts'

export type Verb = {
  /** What follows the verb; in brackets what may be left out. */
  takes: string
  does: string
  /** How many words it takes. */
  words: readonly [least: number, most: number]
  run: (app: OperatorApp, ...words: string[]) => Promise<Answer>
  /** Of a change that keeps no record itself. */
  notes?: (...words: string[]) => Action
}

/** A verb was given what it does not take; the message says what it takes. */
export class WrongWords extends Error {}
