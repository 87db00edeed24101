/** Starts Mailstead, and stops it when it is told to. */
import type { Logger } from 'pino'
import { readConfig } from './config.ts'
import { outboxUrl } from './features/outbox/held-mails.ts'
import { leaveRoot } from './leave-root.ts'
import { countRepeats } from './lib/log/repeats.ts'
import { reasonOf, StartError } from './lib/ports/bound-ports.ts'
import { helpText } from './settings/help.ts'
import { type RunningApp, startApp } from './start-app.ts'

/** Whatever hangs then, in a start that is under way too. */
const STOP_WITHIN_MS = 10_000
/** One Ctrl+C may arrive several times. A later one insists. */
const SAME_SIGNAL_MS = 1_000
/** So long the same error is counted, and not said again. */
const SAID_MS = 60_000
const MOST_SAID = 100

const main = async (given: string[]): Promise<void> => {
  if (given.includes('--help') || given.includes('-h')) return say(helpText())
  if (given.length > 0)
    throw new StartError(`${given[0]} is not understood. --help lists the settings.`)
  const config = readConfig()
  const stop = waitForStop()
  await leaveRoot(config, say)
  const running = await startApp(config, { say })
  stop.surviveErrors(running.app.log)
  process.on('SIGHUP', () =>
    running.app.log.info(
      'SIGHUP: certificates are read again whenever their files change; settings at the next start',
    ),
  )
  if (!stop.isTold()) sayReady(running)
  const error = await stop.promise
  if (error) running.app.log.fatal({ err: error }, 'Mailstead stops after an error in its start')
  await running.close()
  process.exit(error ? 1 : 0)
}

const say = (line: string): void => void process.stdout.write(`${line}\n`)

const sayReady = ({ app, addresses }: RunningApp): void => {
  const { config } = app
  const where = addresses.http ? config.publicUrl : config.roles.join(', ')
  say(`Mailstead is ready: ${where}`)
  if (addresses.http && !config.isLocal) say(`Pages and API listen at ${addresses.http}`)
  if (addresses.metrics) say(`Health is told at ${addresses.metrics}/healthz`)
  if (addresses.http && config.isLocal && config.systemMail === 'outbox')
    say(`Mails to people here are shown at ${outboxUrl(app)}`)
  if (addresses.smtp) say(`Mail is accepted at ${addresses.smtp.host}:${addresses.smtp.port}`)
}

/** Resolves with null for a signal, with the error that nobody caught in the start. Afterwards no error ends the program. */
const waitForStop = () => {
  const { promise, resolve } = Promise.withResolvers<Error | null>()
  let toldAt = 0
  const now = (error: Error | null) => {
    resolve(error)
    if (toldAt !== 0) return
    toldAt = Date.now()
    say('Stopping ...')
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref()
  }
  const hear = () => {
    // PostgreSQL stays then; the next start takes it over.
    if (toldAt !== 0 && Date.now() - toldAt > SAME_SIGNAL_MS) process.exit(1)
    now(null)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, hear)
  // What other programs take as 'read your settings again', and a terminal says that closes.
  process.on('SIGHUP', () => {})
  process.on('uncaughtException', now)
  /** What one request, mail or socket does wrong is not the end of all others. */
  const surviveErrors = (log: Logger) => {
    process.off('uncaughtException', now)
    const repeats = countRepeats({ intervalMs: SAID_MS, mostKeys: MOST_SAID })
    process.on('uncaughtException', (thrown: unknown, origin) => {
      const err = thrown instanceof Error ? thrown : new Error(String(thrown))
      repeats.say(err.stack ?? err.message, (times) =>
        log.error(
          { err, origin, ...(times > 1 && { times }) },
          'an error that nobody caught; Mailstead goes on',
        ),
      )
    })
  }
  return { promise, surviveErrors, isTold: () => toldAt !== 0 }
}

// Whoever read what we say has gone; the product goes on.
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})

try {
  await main(process.argv.slice(2))
} catch (thrown) {
  // Something failed while what had been opened was closed again: the first error is the reason.
  const error = thrown instanceof SuppressedError ? thrown.suppressed : thrown
  const isPlain = error instanceof StartError
  process.stderr.write(
    `${isPlain ? error.message : `Mailstead could not start: ${reasonOf(error)}`}\n`,
  )
  process.exit(1)
}
