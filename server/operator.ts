/** Commands for the operator's terminal, also while the program runs: `npm run operator -- workspace list`. */
import { AppError } from '#contract/errors.ts'
import { readConfig } from './config.ts'
import { noteAction, TERMINAL } from './features/operators/operators.ts'
import { systemClock } from './lib/clock.ts'
import { openDns } from './lib/dns/dns-client.ts'
import { reasonOf, StartError } from './lib/ports/bound-ports.ts'
import { visitStorage } from './storage/open-storage.ts'
import { type Answer, asJson, isFault, printed } from './terminal/answers.ts'
import { type TerminalApp, type Verb, WrongWords } from './terminal/verb.ts'
import { findVerb, usage } from './terminal/verbs.ts'

type Typed = { name: string; verb: Verb; words: string[] }

const answerOf = async ({ name, verb, words }: Typed): Promise<Answer> => {
  const config = readConfig()
  const storage = await visitStorage(config, { onError: () => {} })
  const dns = openDns({ ...config, servers: config.dnsServers, port: config.dnsPort })
  const app: TerminalApp = { config, db: storage.db, clock: systemClock, dns }
  try {
    const answer = await verb.run(app, ...words)
    if (verb.notes) await noteAction(app.db, app.clock.now(), TERMINAL, verb.notes(...words))
    return answer
  } catch (error) {
    if (error instanceof WrongWords) throw new StartError(error.message)
    if (!(error instanceof AppError)) throw error
    throw new StartError(error.type === 'NOT_EXISTS' ? missing(name, words) : sentenceOf(error))
  } finally {
    await storage.close()
  }
}

const sentenceOf = ({ message }: AppError): string =>
  /[.!?]$/.test(message) ? message : `${message}.`

const nouns: Record<string, string> = { user: 'account', domain: 'verified domain' }

const missing = (name: string, words: readonly string[]): string => {
  const [noun = ''] = name.split(' ')
  if (words.length > 1 && noun === 'user')
    return `There is no account ${words[0]}, or no workspace ${words[1]}.`
  return `There is no ${nouns[noun] ?? noun} ${words[0]}.`
}

const all = process.argv.slice(2)
try {
  const typed = findVerb(all.filter((word) => word !== '--json'))
  if (!typed) throw new StartError(usage())
  const { name, verb, words } = typed
  const [least, most] = verb.words
  if (words.length < least || words.length > most)
    throw new StartError(`npm run operator -- ${name} ${verb.takes}`.trimEnd())
  const answer = await answerOf(typed)
  process.stdout.write(`${all.includes('--json') ? asJson(answer) : printed(answer)}\n`)
  if (isFault(answer)) process.exitCode = 1
} catch (error) {
  const isPlain = error instanceof StartError || !(error instanceof Error)
  process.stderr.write(`${isPlain ? reasonOf(error) : (error.stack ?? error.message)}\n`)
  process.exitCode = 1
}
