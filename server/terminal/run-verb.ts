/** From what was typed to an answer, or to the sentence that refuses it. */
import { AppError } from '#contract/errors.ts'
import { noteAction, TERMINAL } from '#server/features/operators/operators.ts'
import { StartError } from '#server/lib/ports/bound-ports.ts'
import type { Answer } from './answers.ts'
import type { TerminalApp, Verb } from './verb.ts'
import { findVerb, usage } from './verbs.ts'

/** What a verb changes is noted. @throws StartError with a sentence for who typed it */
export const runVerb = async (
  typed: readonly string[],
  withApp: (use: (app: TerminalApp) => Promise<Answer>) => Promise<Answer>,
): Promise<Answer> => {
  const found = findVerb(typed)
  if (found === null) throw new StartError(usage())
  checkWords(found)
  const { name, verb, words } = found
  try {
    return await withApp(async (app) => {
      const answer = await verb.run(app, ...words)
      if (verb.notes) await noteAction(app.db, app.clock.now(), TERMINAL, verb.notes(...words))
      return answer
    })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new StartError(error.type === 'NOT_EXISTS' ? missing(name, words) : sentenceOf(error))
  }
}

/** @throws StartError when there are too few or too many */
export const checkWords = ({
  name,
  verb,
  words,
}: {
  name: string
  verb: Pick<Verb, 'words' | 'takes'>
  words: string[]
}): void => {
  const [least, most] = verb.words
  if (words.length < least || words.length > most)
    throw new StartError(`npm run operator -- ${name} ${verb.takes}`.trimEnd())
}

/** Of a refused word, what is wrong with it. */
const sentenceOf = ({ type, message, data }: AppError): string => {
  const text = type === 'VALIDATION' ? Object.values(data).join('. ') : message
  return /[.!?]$/.test(text) ? text : `${text}.`
}

const nouns: Record<string, string> = {
  user: 'account',
  operator: 'account',
  domain: 'verified domain',
  blocklist: 'listed sender',
  sender: 'mailbox',
  announce: 'announcement',
}

const missing = (name: string, words: readonly string[]): string => {
  const [noun = ''] = name.split(' ')
  if (words.length > 1 && noun === 'user')
    return `There is no account ${words[0]}, or no workspace ${words[1]}.`
  return `There is no ${[nouns[noun] ?? noun, ...words.slice(0, 1)].join(' ')}.`
}
