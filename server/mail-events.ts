/**
 * What the log says of mails, kept until a loop stores it where operators search it (decision 115). The log on the terminal is
 * the whole of it; a process that dies loses some seconds here.
 */
import type { MailOutcome } from '#contract/operator/mail-log.ts'
import type { Clock } from './lib/clock.ts'
import type { LogEvent, LogEvents } from './log-events.ts'

export type MailEvent = {
  at: Date
  outcome: MailOutcome
  from: string
  /** '' when it was refused before anybody was named. */
  to: string
  /** The client's address, or the server that was asked; '' for a delivery on this machine. */
  peer: string
  /** The SMTP reply, or the id that an accepted mail got. */
  reply: string
  /** Of equal ones, one is kept. */
  times: number
}

export type MailEvents = {
  note: LogEvent
  /** All that were noted since the last call. */
  take(): MailEvent[]
  /** Those that could not be stored wait again, as far as there is room. */
  giveBack(events: readonly MailEvent[]): void
}

/** Waiting for the database. */
const MOST_WAITING = 10_000
/** Different refusals of one network; who guesses addresses is told by the log. */
const MOST_REFUSALS = { count: 100, perMs: 3_600_000 }
const LONGEST_TEXT = 500

/** Texts of others: made valid for PostgreSQL, and cut. */
const storable = (text: string): string =>
  text.replaceAll('\0', '').toWellFormed().slice(0, LONGEST_TEXT)

type Said = Omit<MailEvent, 'at' | 'times' | 'to'> & { to: readonly string[]; network?: string }

const said: { [E in keyof LogEvents]?: (fields: LogEvents[E]) => Said } = {
  'mail-accepted': ({ id, from, to, ip }) => ({
    ...{ outcome: 'accepted', from, to, peer: ip, reply: id },
  }),
  'mail-refused': ({ from, to, ip, reply, network }) => ({
    ...{ outcome: 'refused', from, to, peer: ip, reply, network },
  }),
  'submission-refused': ({ from, to, ip, reply, network }) => ({
    ...{ outcome: 'refused', from, to, peer: ip, reply, network },
  }),
  'mail-delivered': (delivery) => ofDelivery('delivered', delivery),
  'mail-deferred': (delivery) => ofDelivery('deferred', delivery),
  'mail-bounced': (delivery) => ofDelivery('bounced', delivery),
}

const ofDelivery = (
  outcome: MailOutcome,
  { from, to, host, reply }: LogEvents['mail-delivered'],
): Said => ({ ...{ outcome, from, to: [to], peer: host, reply } })

/** Passes each event on to `logEvent`. */
export const openMailEvents = (clock: Clock, logEvent: LogEvent): MailEvents => {
  let waiting = new Map<string, MailEvent>()
  let givenBack: readonly MailEvent[] = []
  const isFull = () => waiting.size + givenBack.length >= MOST_WAITING
  const isTooMany = limitRefusals(clock)
  const keep = ({ to, network, from, reply, outcome, peer }: Said) => {
    if (from === '' && to.length === 0) return
    for (const each of to.length === 0 ? [''] : to) {
      const [mailFrom, recipient] = [storable(from), storable(each)]
      const texts = { from: mailFrom, to: recipient, peer: storable(peer), reply: storable(reply) }
      const event = { outcome, ...texts }
      const key = JSON.stringify(event)
      const known = waiting.get(key)
      if (known !== undefined) known.times += 1
      else if (!isFull() && !(network !== undefined && isTooMany(network)))
        waiting.set(key, { ...event, at: clock.now(), times: 1 })
    }
  }
  return {
    note: ((event, fields) => {
      const told = (said[event] as ((fields: unknown) => Said) | undefined)?.(fields)
      if (told !== undefined) keep(told)
      logEvent(event, fields)
    }) as LogEvent,
    take: () => {
      const taken = [...givenBack, ...waiting.values()]
      waiting = new Map()
      givenBack = []
      return taken
    },
    giveBack: (events) => {
      givenBack = events.slice(0, MOST_WAITING - waiting.size)
    },
  }
}

/** Counts refusals by network, an hour at a time. */
const limitRefusals = (clock: Clock): ((network: string) => boolean) => {
  let counts = new Map<string, number>()
  let until = 0
  return (network) => {
    const now = clock.now().getTime()
    if (now >= until) {
      counts = new Map()
      until = now + MOST_REFUSALS.perMs
    }
    const count = (counts.get(network) ?? 0) + 1
    counts.set(network, count)
    return count > MOST_REFUSALS.count
  }
}
