/**
 * Servers that defer, refuse, stall and cut, and a clock that jumps from retry to retry for five days. What the sink saw of each
 * recipient is compared with the result of the delivery.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { announceDelivery } from '#server/storage/notifications.ts'
import type { OutgoingWorld } from '../outgoing/outgoing-world.ts'
import type { PeerBehaviour, PeerCharacter, PeerStage } from '../smtp/smtp-peer.ts'
import { type Chance, chanceOf } from './seeded.ts'

/** The planned failure of one attempt; null: it succeeds. */
type Fate = { stage: PeerStage; how: string } | null

/** What the sink saw of a recipient. */
type Known = {
  acknowledged: number
  cutAfterDot: number
  stalled: number
  refused: number
  attempts: number
}

export type HostileTrial = {
  deliveries: number
  attempts: number
  delivered: number
  bounced: number
  expired: number
  /** Second copies; each needs a cut after the final dot. */
  copies: number
  days: number
  faults: string[]
}

const DOMAINS = 20
const HOSTS = 4
const RECIPIENTS_PER_MESSAGE = 50
const LOOK_MS = 20
const timeouts = { connectMs: 1_000, greetingMs: 200, idleMs: 200, wholeMs: 2_000 }

export const tryHostileSink = async (
  world: OutgoingWorld,
  { seed, count }: { seed: number; count: number },
): Promise<HostileTrial> => {
  const sink = new Sink(chanceOf(seed))
  const startedAt = world.app.clock.now()
  for (let n = 0; n < HOSTS; n++)
    await world.host(`sink${n}`, `127.0.1.${n + 1}`, {
      behave: sink.characterOf(n),
      // With pipelining, a cut may come after more commands.
      extensions: n % 2 === 0 ? ['PIPELINING'] : [],
    })
  for (let n = 0; n < DOMAINS; n++)
    world.dns.set(`d${n}.example.org`, 'MX', [`10 sink${n % HOSTS}.example.org`])
  const recipients = Array.from(
    { length: count },
    (_, n) => `${n % 40 === 7 ? 'never' : 'user'}${n}@d${n % DOMAINS}.example.org`,
  )
  for (let at = 0; at < count; at += RECIPIENTS_PER_MESSAGE)
    await world.send(recipients.slice(at, at + RECIPIENTS_PER_MESSAGE))
  await world.work(timeouts)
  await untilAllEnded(world)
  const days = (world.app.clock.now().getTime() - startedAt.getTime()) / 86_400_000
  return { ...(await judge(world, sink, recipients)), days }
}

class Sink {
  readonly #chance: Chance
  readonly #known = new Map<string, Known>()
  readonly #now = new Map<string, { recipient: string; fate: Fate }>()

  constructor(chance: Chance) {
    this.#chance = chance
  }

  of(recipient: string): Known {
    const known = this.#known.get(recipient) ?? {
      ...{ acknowledged: 0, cutAfterDot: 0, stalled: 0, refused: 0, attempts: 0 },
    }
    this.#known.set(recipient, known)
    return known
  }

  characterOf(host: number): PeerCharacter {
    return (stage, argument, connection) => {
      const at = `${host} ${connection}`
      if (stage === 'rcpt') {
        this.of(argument).attempts += 1
        this.#now.set(at, { recipient: argument, fate: this.#fateOf(argument) })
      }
      const now = this.#now.get(at)
      return now === undefined ? this.#beforeRecipient(stage) : this.#during(stage, now)
    }
  }

  /** Connections fail too, before any recipient is known. */
  #beforeRecipient(stage: PeerStage): PeerBehaviour {
    const throwOf = this.#chance.between(1, 100)
    if (stage !== 'connect' || throwOf > 6) return undefined
    return throwOf <= 2 ? '421 4.3.2 not now' : throwOf <= 4 ? 'cut' : 'stall'
  }

  #during(stage: PeerStage, { recipient, fate }: { recipient: string; fate: Fate }): PeerBehaviour {
    const how = fate?.stage === stage ? fate.how : undefined
    if (stage === 'dot' && how === undefined) this.of(recipient).acknowledged += 1
    if (stage === 'dot' && how === 'cut') this.of(recipient).cutAfterDot += 1
    if (how === 'stall') this.of(recipient).stalled += 1
    if (how?.startsWith('5')) this.of(recipient).refused += 1
    return how
  }

  /** 30% 4xx; 5% each: a stall, a cut in the mail, a cut after the final dot, and 5xx. */
  #fateOf(recipient: string): Fate {
    const chance = this.#chance
    const throwOf = chance.between(1, 100)
    const late = chance.oneOf(['rcpt', 'data', 'dot'] as const)
    if (recipient.startsWith('never'))
      return throwOf <= 5 ? { stage: 'dot', how: 'cut' } : { stage: late, how: '450 4.2.0 later' }
    if (throwOf <= 30) return { stage: late, how: '451 4.7.1 later' }
    if (throwOf <= 35)
      return { stage: chance.oneOf(['rcpt', 'data', 'content', 'dot']), how: 'stall' }
    if (throwOf <= 40) return { stage: 'content', how: 'cut' }
    if (throwOf <= 45) return { stage: 'dot', how: 'cut' }
    if (throwOf <= 50) return { stage: late, how: '550 5.7.1 never' }
    return null
  }
}

/** Moves the clock when no delivery is running or due: a claim lasts three minutes of it. */
const untilAllEnded = async ({ app: { db, clock } }: OutgoingWorld): Promise<void> => {
  for (;;) {
    const now = clock.now()
    while (await isAnythingToDo(db, now)) await wait(LOOK_MS)
    const waiting = await db
      .selectFrom('deliveries')
      .select('nextAttemptAt')
      .where('status', '=', 'queued')
      .orderBy('nextAttemptAt')
      .execute()
    if (waiting.length === 0) return
    // Half of the deliveries at a time: otherwise each would need its own round.
    clock.set(waiting[Math.floor(waiting.length / 2)]?.nextAttemptAt ?? now)
    await announceDelivery(db)
  }
}

const isAnythingToDo = async (db: OutgoingWorld['app']['db'], now: Date): Promise<boolean> =>
  (await db
    .selectFrom('deliveries')
    .select('id')
    .where('status', 'in', ['queued', 'sending'])
    .where((is) => is.or([is('status', '=', 'sending'), is('nextAttemptAt', '<=', now)]))
    .limit(1)
    .executeTakeFirst()) !== undefined

const judge = async (
  { app, deliveries, ledger }: OutgoingWorld,
  sink: Sink,
  recipients: readonly string[],
): Promise<Omit<HostileTrial, 'days'>> => {
  const rows = await deliveries()
  const attempts = Map.groupBy(await ledger(), ({ deliveryId }) => deliveryId)
  const messages = await app.db.selectFrom('messages').select('subject').execute()
  const bounces = Map.groupBy(messages, ({ subject }) => subject)
  const faults: string[] = []
  const trial = { deliveries: rows.length, attempts: 0, delivered: 0, bounced: 0, expired: 0 }
  let copies = 0
  if (rows.length !== recipients.length) faults.push(`${rows.length} deliveries are there`)
  for (const { id, recipient, status, createdAt, finishedAt } of rows) {
    const told = attempts.get(id) ?? []
    const last = told.at(-1)?.outcome
    const known = sink.of(recipient)
    const bounced = bounces.get(`Not delivered to ${recipient}`)?.length ?? 0
    const fault = (what: string) =>
      faults.push(
        `${recipient}: ${what}: ${JSON.stringify({ status, known, bounced, told: told.map(({ outcome, reply }) => [outcome, reply]) })}`,
      )
    // An acknowledgement that a busy machine reads too late is lost for the client: as after a cut.
    const timedOut = told.filter(({ reply }) => reply === 'Timeout').length
    const unseen = Math.max(0, timedOut - known.stalled)
    const seen = (count: number) =>
      known.acknowledged >= count && known.acknowledged <= count + unseen
    trial.attempts += told.length
    copies += known.cutAfterDot
    if (finishedAt === null) fault('has no end')
    if (told.slice(0, -1).some(({ outcome }) => outcome !== 'deferred'))
      fault('went on after its end')
    if (status === 'delivered') {
      trial.delivered += 1
      if (!seen(1) || bounced !== 0 || last !== 'delivered') fault('is not delivered once')
    } else {
      const hasExpired = last === 'deferred'
      if (hasExpired) trial.expired += 1
      else trial.bounced += 1
      if (!seen(0) || bounced !== 1) fault('did not fail once')
      if (hasExpired ? daysBetween(createdAt, finishedAt) < 5 : known.refused !== 1)
        fault('was given up for no reason')
    }
  }
  return { ...trial, copies, faults }
}

const daysBetween = (from: Date, to: Date | null): number =>
  ((to?.getTime() ?? 0) - from.getTime()) / 86_400_000
