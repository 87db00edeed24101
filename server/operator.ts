/** Commands for the operator's terminal, also while the program runs: `npm run operator -- workspace list`. */

import { createInterface } from 'node:readline/promises'
import { AppError } from '#contract/errors.ts'
import { actAsOwnerOf } from './act-as-owner.ts'
import { type Config, readConfig } from './config.ts'
import { noteAction, TERMINAL } from './features/operators/operators.ts'
import { systemClock } from './lib/clock.ts'
import { openDns } from './lib/dns/dns-client.ts'
import { reasonOf, StartError } from './lib/ports/bound-ports.ts'
import { openStore } from './storage/blobs/places.ts'
import { visitStorage } from './storage/open-storage.ts'
import { type Answer, asJson, isFault, printed } from './terminal/answers.ts'
import { type TerminalApp, type Verb, WrongWords } from './terminal/verb.ts'
import { findEarlyVerb, findVerb, usage } from './terminal/verbs.ts'

const readOwnConfig = (): Config => {
  const config = readConfig()
  actAsOwnerOf(config.dataDir)
  return config
}

/** What was typed, and the answer of its verb. */
const answerTo = async (typed: readonly string[]): Promise<Answer> => {
  const early = findEarlyVerb(typed)
  if (early !== null) {
    checkWords(early)
    return early.verb.run({ config: readOwnConfig(), clock: systemClock }, ...early.words)
  }
  const found = findVerb(typed)
  if (found === null) throw new StartError(usage())
  checkWords(found)
  const { name, verb, words } = found
  try {
    return await withStorage(readOwnConfig(), async (app) => {
      const answer = await verb.run(app, ...words)
      if (verb.notes) await noteAction(app.db, app.clock.now(), TERMINAL, verb.notes(...words))
      return answer
    })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new StartError(error.type === 'NOT_EXISTS' ? missing(name, words) : sentenceOf(error))
  }
}

const checkWords = ({
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

const withStorage = async <T>(
  config: Config,
  use: (app: TerminalApp) => Promise<T>,
): Promise<T> => {
  const say = (line: string): void => void process.stderr.write(`${line}\n`)
  const storage = await visitStorage(config, { onError: () => {}, say })
  const blobs = openStore(config)
  try {
    const { db, connection } = storage
    const dns = openDns({ ...config, servers: config.dnsServers, port: config.dnsPort })
    return await use({ config, db, connection, blobs, dns, clock: systemClock, ask: asking() })
  } finally {
    await blobs.close()
    await storage.close()
  }
}

/** Of a refused word, what is wrong with it. */
const sentenceOf = ({ type, message, data }: AppError): string => {
  const text = type === 'VALIDATION' ? Object.values(data).join('. ') : message
  return /[.!?]$/.test(text) ? text : `${text}.`
}
/** null: what is typed comes from a program. The question goes beside the answer, which may be piped on. */
const asking = (): TerminalApp['ask'] => {
  if (!process.stdin.isTTY) return null
  return async (question) => {
    const lines = createInterface({ input: process.stdin, output: process.stderr })
    try {
      return await lines.question(question)
    } finally {
      lines.close()
    }
  }
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

const all = process.argv.slice(2)
try {
  const answer = await answerTo(all.filter((word) => word !== '--json'))
  process.stdout.write(`${all.includes('--json') ? asJson(answer) : printed(answer)}\n`)
  if (isFault(answer)) process.exitCode = 1
} catch (error) {
  const isPlain =
    error instanceof StartError || error instanceof WrongWords || !(error instanceof Error)
  process.stderr.write(`${isPlain ? reasonOf(error) : (error.stack ?? error.message)}\n`)
  process.exitCode = 1
}
