/**
 * GET /events: server-sent events, read by fetch streaming since only the Authorization header authenticates.
 * Each event names a change in one of the caller's workspaces, and the page reads its lists again. A page that the server drew
 * names in `Last-Event-ID` the last change before that, and first gets the changes since.
 */
import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { AppError } from '#contract/errors.ts'
import { type Changed, changed, readEvents } from '#contract/events.ts'
import type { App } from '#server/app.ts'
import {
  type LiveSession,
  liveSessions,
  mayReceiveEvent,
} from '#server/features/accounts/live-sessions.ts'
import { liveKeys } from '#server/features/keys/live-keys.ts'
import { networkOf } from '#server/features/limits/throttle.ts'
import { withModseq } from '#server/features/messages/change-log/event-modseq.ts'
import { CHANGED_CHANNEL, SESSIONS_ENDED_CHANNEL } from '#server/storage/notifications.ts'
import { serveBytes } from '../exchange/serve.ts'
import type { AnnouncedChanges } from './announced-changes.ts'

const HEARTBEAT_MS = 25_000
/** A client this far behind is disconnected; it connects again and reads its lists anew. */
const MAX_UNREAD_BYTES = 1_000_000
/** Streams per session: each tab has one. */
const MAX_OF_SESSION = 50
/** Streams per user, over all sessions. */
const MAX_OF_USER = 100
/** Streams per network, fewer than its connections. */
const MAX_OF_NETWORK = 600
const RETRY_SECONDS = 60

/** `sessionId`: of the session, or of the API key. */
type Owner = { sessionId: string; isKey: boolean; userId: string; network: string }
type Reader = Owner & { live: LiveSession; out: ServerResponse }

const nothing: LiveSession = new Map()

export const registerEvents = (
  server: FastifyInstance,
  app: App,
  announced: AnnouncedChanges,
): void => {
  const readers = new Set<Reader>()
  watchDatabase(server, app, readers, announced)
  serveBytes(server, app, readEvents, async (_input, { sessionId, keyId, userId, ip }, reply) => {
    const owner = { sessionId, isKey: keyId !== undefined, userId, network: networkOf(ip) }
    const live = await liveOf(app, [owner])
    if (hasTooMany(readers, owner))
      throw new AppError('TOO_MANY_REQUESTS', { retryAfterSeconds: RETRY_SECONDS })
    const out = reply.raw
    out.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      // Proxies that buffer answers would delay events.
      'x-accel-buffering': 'no',
    })
    reply.hijack()
    const reader = { ...owner, live: live.get(sessionId) ?? nothing, out }
    readers.add(reader)
    out.on('close', () => readers.delete(reader))
    out.write(': connected\n\n')
    const lastId = reply.request.headers['last-event-id']
    if (typeof lastId !== 'string') return
    const missed = announced.after(lastId) ?? everythingOf(reader.live)
    for (const event of missed) tell(reader, event)
  })
}

/** Rights of the live sessions and keys among these. */
const liveOf = async (app: App, owners: readonly Owner[]): Promise<Map<string, LiveSession>> => {
  const ids = (isKey: boolean) =>
    owners.filter((owner) => owner.isKey === isKey).map(({ sessionId }) => sessionId)
  const sessions = ids(false)
  const found = sessions.length === 0 ? [] : await liveSessions(app, sessions)
  return new Map([...found, ...(await liveKeys(app, ids(true)))])
}

const hasTooMany = (readers: Set<Reader>, { sessionId, userId, network }: Owner): boolean => {
  const of = { session: 0, user: 0, network: 0 }
  for (const reader of readers) {
    if (reader.sessionId === sessionId) of.session += 1
    if (reader.userId === userId) of.user += 1
    if (reader.network === network) of.network += 1
  }
  return of.session >= MAX_OF_SESSION || of.user >= MAX_OF_USER || of.network >= MAX_OF_NETWORK
}

/** One subscription and one heartbeat for all readers of this process. */
const watchDatabase = (
  server: FastifyInstance,
  app: App,
  readers: Set<Reader>,
  announced: AnnouncedChanges,
): void => {
  const stops: (() => void)[] = []
  // After a user lost a right, events wait until the rights are read again.
  let checked = Promise.resolve()
  const next = (step: () => unknown) => {
    checked = checked.then(step).then(
      () => {},
      (error: unknown) =>
        app.log.warn({ err: error }, 'a change could not be sent to the readers of events'),
    )
  }
  const check = () => next(() => checkReaders(app, readers))
  server.addHook('onReady', async () => {
    stops.push(
      await app.listener.subscribe(CHANGED_CHANNEL, (payload) => {
        next(toReaders(app, readers, announced, payload))
      }),
      await app.listener.subscribe(SESSIONS_ENDED_CHANNEL, check),
    )
    const heartbeat = setInterval(check, HEARTBEAT_MS)
    stops.push(() => clearInterval(heartbeat))
  })
  server.addHook('preClose', async () => {
    for (const stop of stops) stop()
    for (const { out } of readers) out.end()
  })
}

/** Ends streams whose session or right ended, adds joined workspaces, and keeps proxies from closing the others. */
const checkReaders = async (app: App, readers: Set<Reader>): Promise<void> => {
  if (readers.size === 0) return
  // Who comes meanwhile has read their rights just now.
  const asked = [...readers]
  const live = await liveOf(app, asked)
  for (const reader of asked) {
    const found = live.get(reader.sessionId)
    if (found === undefined || hasLostRight(reader.live, found)) {
      // An ended stream gets no further events; its 'close' comes later.
      readers.delete(reader)
      reader.out.end()
    } else {
      reader.live = found
      write(reader, ': heartbeat\n\n')
    }
  }
}

const topics = changed.shape.topic.options

/** Pages drawn from now on include the change; @returns a function that notifies the listeners. */
const toReaders = (
  app: App,
  readers: Set<Reader>,
  announced: AnnouncedChanges,
  payload: string | null,
): (() => unknown) => {
  if (payload === null) {
    announced.lose()
    // Notifications may have been missed, so everything may have changed.
    return () => {
      for (const reader of readers)
        for (const event of everythingOf(reader.live)) tell(reader, event)
    }
  }
  const event = changed.parse(JSON.parse(payload))
  announced.add(event)
  return async () => {
    const hears = [...readers].filter(({ live }) => mayReceiveEvent(live, event))
    if (hears.length === 0) return
    const told = eventOf(await withModseq(app, event))
    for (const reader of hears) write(reader, told)
  }
}

const tell = (reader: Reader, event: Changed): void => {
  if (mayReceiveEvent(reader.live, event)) write(reader, eventOf(event))
}

const everythingOf = (live: LiveSession): Changed[] =>
  [...live].flatMap(([workspaceId, { mailboxIds }]) => [
    ...topics.map((topic) => ({ topic, workspaceId })),
    ...[...mailboxIds].map((mailboxId) => ({ topic: 'messages' as const, workspaceId, mailboxId })),
  ])

/** The client opens another stream with its remaining rights and reads its lists anew. */
const hasLostRight = (before: LiveSession, now: LiveSession): boolean =>
  [...everythingOf(before), ...[...before.keys()].map(mailOfAny)].some(
    (event) => mayReceiveEvent(before, event) && !mayReceiveEvent(now, event),
  )

/** An event of a mailbox without readers goes to users who see all mailboxes. */
const mailOfAny = (workspaceId: string): Changed => ({
  ...{ topic: 'messages', workspaceId, mailboxId: '' },
})

const eventOf = (event: Changed): string => `data: ${JSON.stringify(event)}\n\n`

const write = ({ out }: Reader, text: string): void => {
  if (out.writableEnded || out.destroyed) return
  out.write(text)
  if (out.writableLength > MAX_UNREAD_BYTES) out.destroy()
}
