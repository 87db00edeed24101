/** The shape of a command of the operator's tool. */
import type { App } from '#server/app.ts'
import type { Action, OperatorApp } from '#server/features/operators/operators.ts'
import type { Answer } from './answers.ts'

/** What a command has to work with. */
export type TerminalApp = OperatorApp &
  Pick<App, 'connection' | 'dns'> & {
    blobs: Pick<App['blobs'], 'get' | 'open' | 'stored'>
    /** Asks at the terminal. null: nobody sits there. */
    ask: ((question: string) => Promise<string>) | null
  }

export type Verb<Given = TerminalApp> = {
  /** What follows the verb; in brackets what may be left out. */
  takes: string
  does: string
  /** How many words it takes. */
  words: readonly [least: number, most: number]
  run: (app: Given, ...words: string[]) => Promise<Answer>
  /** Of a change that keeps no record itself. */
  notes?: (...words: string[]) => Action
}

/** It needs no database, which may not be there yet. */
export type EarlyVerb = Verb<Pick<App, 'config' | 'clock'>>

/** A verb was given what it does not take; the message says what it takes. */
export class WrongWords extends Error {}
