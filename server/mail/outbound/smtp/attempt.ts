/** One mail to one host, told as an attempt of the ledger. */
import type { Attempt } from '#server/features/outbox/record-attempt.ts'
import type { HostConnections } from './host-connections.ts'
import { type Destination, type Mail, Session, Stopped, type Timeouts } from './session.ts'

/** `isAboutHost`: it never came to the mail itself, so another host may be asked. */
export type Told = Attempt & { isAboutHost: boolean }

export type Ways = { connections: HostConnections; timeouts: Timeouts }

/** How long a kept connection may take to say that it is still there. */
const RESET_MS = 10_000

/** @throws HostFull */
export const attemptSmtp = (to: Destination, mail: Mail, ways: Ways): Promise<Told> =>
  ways.connections.withPlace(to, () =>
    withDeadline(ways.timeouts.wholeMs, async (signal) => {
      const told =
        (await overKept(to, mail, ways, signal)) ?? (await overNew(to, mail, ways, signal))
      // Opportunistic encryption that fails is no reason to keep mail from a host that also takes it plain (RFC 7435).
      return told ?? (await overNew({ ...to, tls: 'never' }, mail, ways, signal)) ?? noTls(to)
    }),
  )

/** A host that drips its answers would otherwise never be silent for long enough to be given up. */
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

/** null when there is none, or the one that there was turned out gone before it took any of the mail. */
const overKept = async (
  to: Destination,
  mail: Mail,
  ways: Ways,
  signal: AbortSignal,
): Promise<Told | null> => {
  // What had no working TLS a moment ago is not asked for it again with each mail.
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

/** null when TLS was offered and does not work, and the mail may go without. */
const overNew = async (
  to: Destination,
  mail: Mail,
  ways: Ways,
  signal: AbortSignal,
): Promise<Told | null> => {
  let session: Session
  try {
    session = await Session.open(to, mail.ehlo, ways.timeouts, signal)
  } catch (error) {
    if (!(error instanceof Stopped)) throw error
    if (error.isTlsTrouble && to.tls === 'opportunistic') return null
    // A greeting or EHLO that refuses says nothing about this mail.
    return told(to, error, 'deferred', { isTls: false, isAboutHost: true })
  }
  return send(to, session, mail, ways, signal, false)
}

const send = async (
  to: Destination,
  session: Session,
  mail: Mail,
  { connections }: Ways,
  signal: AbortSignal,
  isKept: boolean,
): Promise<Told | null> => {
  const { isTls } = session
  if (!session.takes(mail)) {
    connections.keep(to, session)
    return told(to, noInternational(to), 'failed', { isTls, isAboutHost: false })
  }
  try {
    const { code, reply } = await session.send(mail, signal)
    connections.keep(to, session)
    return told(to, { code, message: reply }, 'delivered', { isTls, isAboutHost: false })
  } catch (error) {
    if (!(error instanceof Stopped)) throw error
    if (error.isTooLarge) {
      connections.keep(to, session)
      return told(to, tooLarge(to, error), 'failed', { isTls, isAboutHost: false })
    }
    const isGone = error.code === null || error.code === 421
    if (isGone) session.cut()
    else connections.keep(to, session)
    if (isGone && isKept && !error.hasContentLeft) return null
    const outcome = error.code !== null && error.code >= 500 ? 'failed' : 'deferred'
    return told(to, error, outcome, { isTls, isAboutHost: false })
  }
}

/** It would say so after MAIL, and has said so already when it greeted (RFC 1870). */
const tooLarge = ({ host }: Destination, { message }: Stopped) => ({
  code: null,
  message: `552 5.3.4 ${host} takes no message of this size (${message})`,
})

/** RFC 6531 §3.5 gives this code to what nobody can pass on as it is. */
const noInternational = ({ host }: Destination) => ({
  code: null,
  message: `550 5.6.7 ${host} takes no mail for or among addresses with letters beyond ASCII (SMTPUTF8)`,
})

const noTls = (to: Destination): Told =>
  told(to, { code: null, message: 'TLS could not be started' }, 'deferred', {
    ...{ isTls: false, isAboutHost: true },
  })

const told = (
  { host, dialled }: Destination,
  { code, message: reply }: { code: number | null; message: string },
  outcome: Attempt['outcome'],
  how: { isTls: boolean; isAboutHost: boolean },
): Told => ({ outcome, host, ip: dialled.address, code, reply, ...how })
