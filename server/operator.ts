/** Commands for the operator's terminal, also while the program runs: `npm run operator -- workspace list`. */
import { AppError } from '#contract/errors.ts'
import { readConfig } from './config.ts'
import { noteAction, type OperatorApp, TERMINAL } from './features/operators/operators.ts'
import { systemClock } from './lib/clock.ts'
import { reasonOf, StartError } from './lib/ports/bound-ports.ts'
import { visitStorage } from './storage/open-storage.ts'
import { type Answer, asJson, printed } from './terminal/answers.ts'
import { type Verb, WrongWords } from './terminal/verb.ts'
import { usage, verbs } from './terminal/verbs.ts'

const answerOf = async (verb: Verb, noun: string, words: string[]): Promise<Answer> => {
  const config = readConfig()
  const storage = await visitStorage(config, { onError: () => {} })
  const app: OperatorApp = { config, db: storage.db, clock: systemClock }
  try {
    const answer = await verb.run(app, ...words)
    if (verb.notes) await noteAction(app.db, app.clock.now(), TERMINAL, verb.notes(...words))
    return answer
  } catch (error) {
    if (error instanceof WrongWords) throw new StartError(error.message)
    if (!(error instanceof AppError)) throw error
    throw new StartError(error.type === 'NOT_EXISTS' ? missing(noun, words) : sentenceOf(error))
  } finally {
    await storage.close()
  }
}

const sentenceOf = ({ message }: AppError): string =>
  /[.!?]$/.test(message) ? message : `${message}.`

const nouns: Record<string, string> = { user: 'account', domain: 'verified domain' }

const missing = (noun: string, words: readonly string[]): string => {
  if (words.length > 1 && noun === 'user')
    return `There is no account ${words[0]}, or no workspace ${words[1]}.`
  return `There is no ${nouns[noun] ?? noun} ${words[0]}.`
}

const all = process.argv.slice(2)
const [noun = '', name = '', ...words] = all.filter((word) => word !== '--json')
try {
  const verb = Object.hasOwn(verbs, `${noun} ${name}`) ? verbs[`${noun} ${name}`] : undefined
  if (!verb) throw new StartError(usage())
  const [least, most] = verb.words
  if (words.length < least || words.length > most)
    throw new StartError(`npm run operator -- ${noun} ${name} ${verb.takes}`)
  const answer = await answerOf(verb, noun, words)
  process.stdout.write(`${all.includes('--json') ? asJson(answer) : printed(answer)}\n`)
} catch (error) {
  const isPlain = error instanceof StartError || !(error instanceof Error)
  process.stderr.write(`${isPlain ? reasonOf(error) : (error.stack ?? error.message)}\n`)
  process.exitCode = 1
}
