/** For loops of the workers: looks for what is wrong, and tells the operator when that begins, lasts and ends (decision 107). */
import type { App } from '#server/app.ts'
import { isDatabaseAway } from '#server/storage/database-away.ts'
import {
  type AlertState,
  type Channel,
  claimed,
  dueNews,
  isOver,
  type News,
  observed,
  refused,
  taken,
} from './alert-state.ts'
import { type AlertStore, alertMemory, alertTable } from './alerts-store.ts'
import { type Condition, type Seen, UNSEEN } from './condition.ts'
import { conditions, conditionsWithoutDatabase } from './conditions.ts'
import { type AlertMessage, channelSettings, channelsOf, sendAlert } from './send-alert.ts'

const BETWEEN_MS = 15_000

/** By installation: what is watched without the database, the last look at the rest, and what is logged already. */
type Watch = { memory: AlertStore; lookedAt: Date | null; inTrouble: Set<string> }
const watches = new WeakMap<App, Watch>()

const watchOf = (app: App): Watch => {
  const watch = watches.get(app) ?? {
    ...{ memory: alertMemory(), lookedAt: null, inTrouble: new Set<string>() },
  }
  watches.set(app, watch)
  return watch
}

/** What the database remembers; nothing while it is away. */
export const watchAlerts = async (app: App): Promise<void> => {
  const watch = watchOf(app)
  const now = app.clock.now()
  const sinceMs = watch.lookedAt === null ? BETWEEN_MS : now.getTime() - watch.lookedAt.getTime()
  if (Math.abs(sinceMs) < BETWEEN_MS || app.readiness.missing().includes('database')) return
  watch.lookedAt = now
  await lookAndTell(app, alertTable(app.db), conditions)
}

/** A loop of its own: a query that hangs holds up the other one. */
export const watchDatabase = (app: App): Promise<void> =>
  lookAndTell(app, watchOf(app).memory, conditionsWithoutDatabase)

const lookAndTell = async (
  app: App,
  store: AlertStore,
  watched: readonly Condition[],
): Promise<void> => {
  const known = await store.read()
  for (const condition of watched) {
    const seen = await lookAt(app, condition)
    if (seen === UNSEEN || (seen === null && !known.has(condition.name))) continue
    await note(app, store, condition, seen)
  }
  const states = await store.read()
  await Promise.all(watched.map((condition) => tell(app, store, condition, states)))
  // Of conditions that this version does not have.
  for (const name of states.keys())
    if (!watched.some((condition) => condition.name === name)) await store.change(name, () => null)
}

/** A condition that cannot be looked at holds up no other. */
const lookAt = async (app: App, { name, look }: Condition): Promise<Seen> => {
  const { inTrouble } = watchOf(app)
  try {
    const seen = await look(app)
    inTrouble.delete(name)
    return seen
  } catch (error) {
    if (isDatabaseAway(error)) throw error
    if (!inTrouble.has(name)) app.log.warn({ err: error, alert: name }, 'an alert is not watched')
    inTrouble.add(name)
    return UNSEEN
  }
}

const note = async (
  app: App,
  store: AlertStore,
  { name, afterMinutes, mend }: Condition,
  sentence: string | null,
): Promise<void> => {
  let before: AlertState | null = null
  let after: AlertState | null = null
  await store.change(name, (state) => {
    before = state
    after = observed(state, sentence, afterMinutes, app.clock.now())
    return after
  })
  const [was, is] = [phaseOf(before), phaseOf(after)]
  if (is !== null && is !== was && (is === 'begun' || was === 'begun'))
    await store.keep({ name, news: is, at: app.clock.now(), sentence: sentenceOf(after ?? before) })
  if (is === 'begun' && was !== 'begun')
    app.log.error({ event: 'alert-begun', alert: name, mend }, sentence ?? '')
  if (is === 'ended' && was === 'begun')
    app.log.warn({ event: 'alert-ended', alert: name }, 'what an alert was about is over')
}

const sentenceOf = (state: AlertState | null): string => state?.sentence ?? ''

const phaseOf = (state: AlertState | null): News | null => {
  if (state === null) return null
  return state.endedAt !== null ? 'ended' : state.begunAt === null ? null : 'begun'
}

const tell = async (
  app: App,
  store: AlertStore,
  condition: Condition,
  states: ReadonlyMap<string, AlertState>,
): Promise<void> => {
  const { name } = condition
  const state = states.get(name)
  const channels = channelsOf(app.config)
  const now = app.clock.now()
  if (state === undefined) return
  if (!isOver(state, channels, now) && dueNews(state, channels, now).length === 0) return
  const due: { channel: Channel; news: News; state: AlertState }[] = []
  await store.change(name, (current) => {
    due.length = 0
    if (current === null || isOver(current, channels, now)) return null
    for (const each of dueNews(current, channels, now)) due.push({ ...each, state: current })
    return due.reduce((next, { channel }) => claimed(next, channel, now), current)
  })
  await Promise.all(due.map((each) => tellOne(app, store, condition, each)))
}

const tellOne = async (
  app: App,
  store: AlertStore,
  { name, mend }: Condition,
  { channel, news, state }: { channel: Channel; news: News; state: AlertState },
): Promise<void> => {
  const { sentence, since } = state
  const message: AlertMessage = { alert: name, state: news, sentence, mend, since }
  const why = await sendAlert(app, channel, message)
  const setting = channelSettings[channel]
  if (why !== null && (state.tellings[channel]?.failures ?? 0) === 0)
    app.log.warn({ alert: name, reason: why }, `an alert is not taken by ${setting}; tried again`)
  await store.change(name, (current) => {
    if (current === null) return null
    const now = app.clock.now()
    return why === null ? taken(current, channel, news, now) : refused(current, channel, now)
  })
}
