/** Commands for the operator's terminal, also while the program runs: `npm run operator -- workspace list`. */

import { createInterface } from 'node:readline/promises'
import { actAsOwnerOf } from './act-as-owner.ts'
import { type Config, readConfig } from './config.ts'
import { systemClock } from './lib/clock.ts'
import { openDns } from './lib/dns/dns-client.ts'
import { reasonOf, StartError } from './lib/ports/bound-ports.ts'
import { openStore } from './storage/blobs/places.ts'
import { visitStorage } from './storage/open-storage.ts'
import { type Answer, asJson, isFault, printed } from './terminal/answers.ts'
import { checkWords, runVerb } from './terminal/run-verb.ts'
import { type TerminalApp, WrongWords } from './terminal/verb.ts'
import { findEarlyVerb } from './terminal/verbs.ts'

const readOwnConfig = (): Config => {
  const config = readConfig()
  actAsOwnerOf(config.dataDir)
  return config
}

/** What was typed, and the answer of its verb. */
const answerTo = async (typed: readonly string[]): Promise<Answer> => {
  const early = findEarlyVerb(typed)
  if (early === null) return runVerb(typed, (use) => withStorage(readOwnConfig(), use))
  checkWords(early)
  return early.verb.run({ config: readOwnConfig(), clock: systemClock }, ...early.words)
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
