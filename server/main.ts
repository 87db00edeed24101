/** Starts Mailstead, and stops it on a signal. */
import type { Logger } from 'pino'
import { readConfig } from './config.ts'
import { passkeysOfOtherHosts } from './features/factors/read-factors.ts'
import { firstLink } from './features/operating/first-operator.ts'
import { outboxUrl } from './features/outbox/held-mails.ts'
import { leaveRoot } from './leave-root.ts'
import { endSurely } from './lib/end-surely.ts'
import { countRepeats } from './lib/log/repeats.ts'
import { isLoopback } from './lib/network-guard.ts'
import { reasonOf, StartError } from './lib/ports/bound-ports.ts'
import { helpText } from './settings/help.ts'
import { type RunningApp, startApp } from './start-app.ts'

/** The process exits after this time even if something hangs, also during the start. */
const STOP_WITHIN_MS = 10_000
/** One Ctrl+C may send several signals. A later signal exits at once. */
const SAME_SIGNAL_MS = 1_000
/** Within this time a repeated error is counted instead of logged. */
const REPEAT_MS = 60_000
const MAX_REPEATS = 100

const main = async (args: string[]): Promise<void> => {
  if (args.includes('--help') || args.includes('-h')) return say(helpText())
  if (args.length > 0)
    throw new StartError(`${args[0]} is not understood. --help lists the settings.`)
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
  if (!stop.isStopping()) {
    sayReady(running)
    // To the launcher, which tells systemd.
    process.send?.('ready', undefined, undefined, () => {})
    await sayFirstLink(running)
    await sayLostPasskeys(running)
  }
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
  if (addresses.http && (!config.isLocal || addresses.https !== null))
    say(`Pages and API listen at ${addresses.http}`)
  if (addresses.https !== null)
    say(`Over TLS they listen at ${shown(config.webListen)}:${addresses.https}`)
  if (addresses.redirect !== null)
    say(`Browsers without TLS are sent on from ${shown(config.webListen)}:${addresses.redirect}`)
  if (addresses.metrics) say(`Health is told at ${addresses.metrics}/healthz`)
  if (addresses.http && config.isLocal && config.systemMail === 'outbox')
    say(`Mails to people here are shown at ${outboxUrl(app)}`)
  if (addresses.smtp)
    say(`Mail is accepted at ${shown(addresses.smtp.host)}:${addresses.smtp.port}`)
  if (addresses.submission) {
    const { port, tlsPort } = addresses.submission
    const host = shown(addresses.submission.host)
    say(`Mail programs send at ${host}:${tlsPort} (TLS) and ${host}:${port} (STARTTLS)`)
  }
  if (addresses.imap) {
    const { port, tlsPort } = addresses.imap
    const host = shown(addresses.imap.host)
    say(`Mail programs read at ${host}:${tlsPort} (TLS) and ${host}:${port} (STARTTLS)`)
  }
  const isHidden = addresses.smtp !== null && isLoopback(addresses.smtp.host)
  if (isHidden && !config.isLocal && !config.allowLoopbackPeers)
    say(
      'Nobody outside reaches these mail ports. Please set MAIL_LISTEN; or, on a machine of its own, start as root with PUBLIC_URL=https://... alone.',
    )
}

/** When the database is away just now, the next start prints the link. */
const sayFirstLink = async ({ app, addresses }: RunningApp): Promise<void> => {
  if (!addresses.http) return
  const link = await firstLink(app).catch(() => null)
  if (link !== null) say(`Please make your account, which operates this installation: ${link}`)
}

/** A changed host of PUBLIC_URL ends passkeys without a word otherwise. */
const sayLostPasskeys = async ({ app, addresses }: RunningApp): Promise<void> => {
  if (!addresses.http) return
  const lost = await passkeysOfOtherHosts(app).catch(() => null)
  if (lost !== null) say(lost)
}

/** As people read it: a star is every address. */
const shown = (host: string): string => {
  if (host === '::' || host === '0.0.0.0') return '*'
  return host.includes(':') ? `[${host}]` : host
}

/** Resolves with null on a signal, or with an uncaught error of the start. Afterwards no error ends the program. */
const waitForStop = () => {
  const { promise, resolve } = Promise.withResolvers<Error | null>()
  let stoppingSince = 0
  const stopNow = (error: Error | null) => {
    resolve(error)
    if (stoppingSince !== 0) return
    stoppingSince = Date.now()
    say('Stopping ...')
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref()
  }
  const onSignal = () => {
    // PostgreSQL keeps running; the next start takes it over.
    if (stoppingSince !== 0 && Date.now() - stoppingSince > SAME_SIGNAL_MS) process.exit(1)
    stopNow(null)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal)
  // The usual signal to reload settings; also sent when a terminal closes.
  process.on('SIGHUP', () => {})
  process.on('uncaughtException', stopNow)
  /** An error in one request, mail or socket must not end the others. */
  const surviveErrors = (log: Logger) => {
    process.off('uncaughtException', stopNow)
    const repeats = countRepeats({ intervalMs: REPEAT_MS, mostKeys: MAX_REPEATS })
    process.on('uncaughtException', (thrown: unknown, origin) => {
      const err = thrown instanceof Error ? thrown : new Error(String(thrown))
      repeats.say(err.stack ?? err.message, (times) =>
        log.error(
          { err, origin, ...(times > 1 && { times }) },
          'uncaught error; Mailstead continues to run',
        ),
      )
    })
  }
  return { promise, surviveErrors, isStopping: () => stoppingSince !== 0 }
}

// The reader of our output has gone; the program continues.
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})

endSurely()
try {
  await main(process.argv.slice(2))
} catch (thrown) {
  // The cleanup failed too: the first error is the reason.
  const error = thrown instanceof SuppressedError ? thrown.suppressed : thrown
  const isPlain = error instanceof StartError
  process.stderr.write(
    `${isPlain ? error.message : `Mailstead could not start: ${reasonOf(error)}`}\n`,
  )
  process.exit(1)
}
