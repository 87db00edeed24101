/**
 * What the log says of mails, kept until a loop stores it where operators search it (decision 115). The log on the terminal is
 * the whole of it; a process that dies loses some seconds here.
 */
import type { MailOutcome } from '#contract/operator/mail-log.ts'
import type { Clock } from './lib/clock.ts'
import { storable } from './lib/plain-text.ts'
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
/** Different refusals of one network in a time, and networks that are counted: the log has the others. */
const MOST_REFUSALS = { count: 100, perMs: 3_600_000, networks: 20_000 }
const LONGEST_TEXT = 500

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
      const [cutFrom = '', cutTo = '', cutPeer = '', cutReply = ''] = [from, each, peer, reply].map(
        (text) => storable(text, LONGEST_TEXT),
      )
      const event = { outcome, from: cutFrom, to: cutTo, peer: cutPeer, reply: cutReply }
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
    const before = counts.get(network)
    if (before === undefined && counts.size >= MOST_REFUSALS.networks) return true
    const count = (before ?? 0) + 1
    counts.set(network, count)
    return count > MOST_REFUSALS.count
  }
}
