/** Sends one mail to one host; the result is an attempt in the ledger. */
import type { Attempt } from '#server/features/outbox/record-attempt.ts'
import type { Destination } from '#server/lib/remote/smtp-destination.ts'
import type { HostConnections } from './host-connections.ts'
import { type Mail, Session, Stopped, type Timeouts } from './session.ts'

/** `isAboutHost`: the host gave no answer about the mail itself, so another host may be tried. */
export type HostAttempt = Attempt & { isAboutHost: boolean }

export type Ways = { connections: HostConnections; timeouts: Timeouts }

/** Milliseconds in which an idle connection must answer RSET. */
const RESET_MS = 10_000

/** @throws HostFull */
export const attemptSmtp = (to: Destination, mail: Mail, ways: Ways): Promise<HostAttempt> =>
  ways.connections.withPlace(to, () =>
    withDeadline(ways.timeouts.wholeMs, async (signal) => {
      const attempt =
        (await overIdle(to, mail, ways, signal)) ?? (await overNew(to, mail, ways, signal))
      // Failed opportunistic TLS is no reason to withhold mail from a host that also accepts plain text (RFC 7435).
      return attempt ?? (await overNew({ ...to, tls: 'never' }, mail, ways, signal)) ?? noTls(to)
    }),
  )

/** Without a deadline, a host that answers byte by byte would never time out. */
const withDeadline = async <T>(
  ms: number,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const controller = new AbortController()
  const tooLong = new Error(`The conversation took longer than ${Math.ceil(ms / 1000)} s`)
  const timer = setTimeout(() => controller.abort(tooLong), ms)
  try {
    return await run(controller.signal)
  } finally {
    clearTimeout(timer)
  }
}

/** Returns null when there is no idle connection, or it closed before it took any of the mail. */
const overIdle = async (
  to: Destination,
  mail: Mail,
  ways: Ways,
  signal: AbortSignal,
): Promise<HostAttempt | null> => {
  // After TLS has failed, the connection without TLS is reused; TLS is not tried again for each mail.
  const plain = { ...to, tls: to.tls === 'opportunistic' ? ('never' as const) : to.tls }
  for (const way of [to, plain]) {
    const session = ways.connections.takeIdle(way)
    if (session === null) continue
    try {
      await session.reset(AbortSignal.any([signal, AbortSignal.timeout(RESET_MS)]))
    } catch {
      session.cut()
      continue
    }
    return send(way, session, mail, ways, signal, true)
  }
  return null
}

/** Returns null when TLS was offered but failed, and the mail may be sent without TLS. */
const overNew = async (
  to: Destination,
  mail: Mail,
  ways: Ways,
  signal: AbortSignal,
): Promise<HostAttempt | null> => {
  let session: Session
  try {
    session = await Session.open(to, mail.ehlo, ways.timeouts, signal)
  } catch (error) {
    if (!(error instanceof Stopped)) throw error
    if (error.isTlsTrouble && to.tls === 'opportunistic') return null
    // A refused greeting or EHLO says nothing about this mail.
    return attemptOf(to, error, 'deferred', { isTls: false, isAboutHost: true })
  }
  return send(to, session, mail, ways, signal, false)
}

const send = async (
  to: Destination,
  session: Session,
  mail: Mail,
  { connections }: Ways,
  signal: AbortSignal,
  isReused: boolean,
): Promise<HostAttempt | null> => {
  const { isTls } = session
  if (!session.takes(mail)) {
    connections.keep(to, session)
    return attemptOf(to, noInternational(to), 'failed', { isTls, isAboutHost: false })
  }
  try {
    const { code, reply } = await session.send(mail, signal)
    connections.keep(to, session)
    return attemptOf(to, { code, message: reply }, 'delivered', { isTls, isAboutHost: false })
  } catch (error) {
    if (!(error instanceof Stopped)) throw error
    if (error.isTooLarge) {
      connections.keep(to, session)
      return attemptOf(to, tooLarge(to, error), 'failed', { isTls, isAboutHost: false })
    }
    const isGone = error.code === null || error.code === 421
    if (isGone) session.cut()
    else connections.keep(to, session)
    if (isGone && isReused && !error.hasContentLeft) return null
    const outcome = error.code !== null && error.code >= 500 ? 'failed' : 'deferred'
    return attemptOf(to, error, outcome, { isTls, isAboutHost: false })
  }
}

/** The host announced its size limit in the reply to EHLO, and would refuse at MAIL (RFC 1870). */
const tooLarge = ({ host }: Destination, { message }: Stopped) => ({
  code: null,
  message: `552 5.3.4 ${host} takes no message of this size (${message})`,
})

/** RFC 6531 §3.5 defines this code for mail that cannot be passed on unchanged. */
const noInternational = ({ host }: Destination) => ({
  code: null,
  message: `550 5.6.7 ${host} takes no mail for or among addresses with letters beyond ASCII (SMTPUTF8)`,
})

const noTls = (to: Destination): HostAttempt =>
  attemptOf(to, { code: null, message: 'TLS could not be started' }, 'deferred', {
    ...{ isTls: false, isAboutHost: true },
  })

const attemptOf = (
  { host, dialled }: Destination,
  { code, message: reply }: { code: number | null; message: string },
  outcome: Attempt['outcome'],
  how: { isTls: boolean; isAboutHost: boolean },
): HostAttempt => ({ outcome, host, ip: dialled.address, code, reply, ...how })
