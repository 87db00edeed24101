/**
 * Posts events to webhooks. Each event arrives at least once, with the same webhook-id in every try; those about the same thing one
 * after the other (decision 122). A claim ends by itself, so that what a killed process had is tried again.
 */
import { randomUUID } from 'node:crypto'
import { EVENT_DAYS } from '#contract/developers/webhooks.ts'
import type { App } from '#server/app.ts'
import { DAY_SECONDS, HOUR_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import { newId } from '#server/lib/ids.ts'
import { storable } from '#server/lib/plain-text.ts'
import { type PostAnswer, postRemote } from '#server/lib/remote/post-remote.ts'
import type { Db } from '#server/storage/database.ts'
import {
  claimLanes,
  closeEmptyLane,
  type FirstEvent,
  firstEvents,
  giveBackLane,
  lockLane,
  makeLanesDue,
  type Room,
} from './lanes-store.ts'
import { switchOff } from './switch-off.ts'
import { secretsOf, signedHeaders } from './webhook-secrets.ts'
import {
  deleteEvents,
  emptyLanes,
  fullWebhooks,
  noteAttempt,
  noteFailure,
  noteSuccess,
} from './webhooks-store.ts'

/** Seconds from one try to the next: over three days, and an event is given up after the last. */
export const RETRY_SECONDS = [
  ...[5, 60, 300, 1_800, 2 * HOUR_SECONDS, 5 * HOUR_SECONDS, 10 * HOUR_SECONDS],
  ...[14 * HOUR_SECONDS, 20 * HOUR_SECONDS, 20 * HOUR_SECONDS],
] as const

/** A webhook at which nothing arrived for so long is switched off. */
const OFF_AFTER_SECONDS = 71 * HOUR_SECONDS
/** After so many failures in a row it is tried less often, and all that waits is tried at once when it works again. */
const PAUSE_FROM = 10
/** More events than this do not wait for one webhook: it is switched off. */
const MOST_WAITING = 50_000
const LONGEST_ANSWER = 1_024
const MAX_READ_BYTES = 4_096
/** An answer that takes longer is slow: such receivers share a part of the room. */
const SLOW_MS = 2_000
const GONE = 410

export type Delivering = {
  /** For the whole answer. */
  wholeMs: number
  /** A claim ends after so many seconds. */
  leaseSeconds: number
}

export type DueEvent = FirstEvent & { claim: string; isTedious: boolean }

/** Claims what is due, as far as there is room. */
export const claimEvents = async (
  app: App,
  room: Room,
  { leaseSeconds }: Delivering,
): Promise<DueEvent[]> => {
  const claim = randomUUID()
  const now = app.clock.now()
  const lanes = await claimLanes(
    app.db,
    { claim, now, until: secondsAfter(now, leaseSeconds) },
    room,
  )
  if (lanes.length === 0) return []
  const tedious = new Set(lanes.filter(({ isTedious }) => isTedious).map(laneOf))
  const events = await firstEvents(app.db, claim)
  return events.map((event) => ({ ...event, claim, isTedious: tedious.has(laneOf(event)) }))
}

const laneOf = ({ webhookId, about }: { webhookId: string; about: string }): string =>
  `${webhookId} ${about}`

/** One try, with what follows from it. */
export const deliverEvent = async (
  app: App,
  event: DueEvent,
  { wholeMs }: Delivering,
): Promise<void> => {
  const { id } = event
  if (id === null) return app.db.transaction().execute((tx) => endTurn(tx, event, app.clock.now()))
  const at = app.clock.now()
  const startedAt = performance.now()
  const body = bodyOf(event)
  const headers = {
    ...signedHeaders(secretsOf(app, event, at), { id, at, body }),
    ...{ 'content-type': 'application/json', 'user-agent': 'Mailstead' },
  }
  const network = { dns: app.dns, allowLoopbackPeers: app.config.allowLoopbackPeers }
  const limits = { wholeMs, maxBytes: MAX_READ_BYTES }
  const got = await postRemote(network, event.url, { body, headers }, limits)
  const durationMs = Math.round(performance.now() - startedAt)
  const result = reasonOf(got.status, got.trouble) === '' ? 'arrived' : 'failed'
  await app.db
    .transaction()
    .execute((tx) => settle(app, tx, { ...event, id }, { ...got, at, durationMs }))
  app.counters.add('webhook_attempts', { result })
}

const bodyOf = ({ topic: type, createdAt, data }: FirstEvent): string =>
  JSON.stringify({ type, timestamp: createdAt.toISOString(), data })

type Tried = PostAnswer & { at: Date; durationMs: number }

const settle = async (
  app: App,
  tx: Db,
  event: DueEvent & { id: string },
  { at, durationMs, status, answer, trouble }: Tried,
): Promise<void> => {
  const { webhookId, workspaceId } = event
  const reason = reasonOf(status, trouble)
  const wait = RETRY_SECONDS[event.attempts]
  const state = reason === '' ? 'delivered' : wait === undefined ? 'failed' : 'waiting'
  const attempt = { id: newId(at.getTime()), webhookId, workspaceId, eventId: event.id }
  const isKept = await noteAttempt(
    tx,
    {
      ...{ ...attempt, at, durationMs, status, reason: storable(reason, LONGEST_ANSWER) },
      answer: storable(answer, LONGEST_ANSWER),
    },
    state,
  )
  if (!isKept) return
  const now = app.clock.now()
  if (reason === '') await succeed(tx, event, durationMs > SLOW_MS, now)
  else await fail(tx, event, status, now)
  if (state !== 'waiting') return endTurn(tx, event, now)
  await giveBackLane(tx, event, secondsAfter(now, wait ?? 0))
}

/** '' for success. */
const reasonOf = (status: number | null, trouble: string): string => {
  if (status !== null && (status < 200 || status > 299)) return `it answers ${status}`
  return trouble
}

const succeed = async (tx: Db, event: DueEvent, isSlow: boolean, now: Date): Promise<void> => {
  const { webhookId, failures } = event
  if (failures > 0 || event.isSlow !== isSlow) await noteSuccess(tx, webhookId, isSlow)
  if (failures >= PAUSE_FROM) await makeLanesDue(tx, webhookId, now)
}

const fail = async (
  tx: Db,
  { webhookId }: DueEvent,
  status: number | null,
  now: Date,
): Promise<void> => {
  const row = await noteFailure(tx, webhookId, now, PAUSE_FROM)
  const since = row?.failingSince ?? now
  if (status === GONE) await switchOff(tx, webhookId, 'gone', now)
  else if (since <= secondsAfter(now, -OFF_AFTER_SECONDS))
    await switchOff(tx, webhookId, 'failing', now)
}

/** The next event of the lane is due; a lane without events is closed. */
const endTurn = async (tx: Db, event: DueEvent, now: Date): Promise<void> => {
  await giveBackLane(tx, event, now)
  await closeEmptyLane(tx, event)
}

/** Every minute: a webhook for which too many events wait is switched off. */
export const switchOffFull = async (app: App): Promise<void> => {
  for (const id of await fullWebhooks(app.db, MOST_WAITING))
    await app.db.transaction().execute((tx) => switchOff(tx, id, 'full', app.clock.now()))
}

/** Hourly. */
export const purgeEvents = async (app: App): Promise<void> => {
  const now = app.clock.now()
  await deleteEvents(app.db, secondsAfter(now, -EVENT_DAYS * DAY_SECONDS))
  for (const lane of await emptyLanes(app.db))
    await app.db.transaction().execute((tx) => closeLane(tx, lane))
}

const closeLane = async (tx: Db, lane: { webhookId: string; about: string }): Promise<void> => {
  await lockLane(tx, lane)
  await closeEmptyLane(tx, lane)
}
