/**
 * GET /events: server-sent events, read by fetch streaming since only the Authorization header authenticates.
 * Each says what changed in one of the caller's workspaces; the page reads the list again. A page that was drawn with
 * what it shows names, in `Last-Event-ID`, the last change before that, and is told first what it has missed.
 */
import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { AppError } from '#contract/errors.ts'
import { type Changed, changed, readEvents } from '#contract/events.ts'
import type { App } from '#server/app.ts'
import { type LiveSession, liveSessions, mayHear } from '#server/features/accounts/live-sessions.ts'
import { networkOf } from '#server/features/limits/throttle.ts'
import { CHANGED_CHANNEL, SESSIONS_ENDED_CHANNEL } from '#server/storage/notifications.ts'
import { serveBytes } from '../exchange/serve.ts'
import type { ToldChanges } from './told-changes.ts'

const HEARTBEAT_MS = 25_000
/** A reader that falls this far behind is cut off; it connects again and reads its lists anew. */
const MAX_UNREAD_BYTES = 1_000_000
/** Each tab of a browser has one. */
const MAX_OF_SESSION = 50
/** Of all their sessions. */
const MAX_OF_USER = 100
/** Fewer than it may have connections. */
const MAX_OF_NETWORK = 600
const RETRY_SECONDS = 60

type Owner = { sessionId: string; userId: string; network: string }
type Reader = Owner & { live: LiveSession; out: ServerResponse }

const nothing: LiveSession = new Map()

export const registerEvents = (server: FastifyInstance, app: App, told: ToldChanges): void => {
  const readers = new Set<Reader>()
  watchDatabase(server, app, readers, told)
  serveBytes(server, app, readEvents, async (_input, { sessionId, userId, ip }, reply) => {
    const live = await liveSessions(app, [sessionId])
    const owner = { sessionId, userId, network: networkOf(ip) }
    if (hasTooMany(readers, owner))
      throw new AppError('TOO_MANY_REQUESTS', { retryAfterSeconds: RETRY_SECONDS })
    const out = reply.raw
    out.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      // Proxies that gather answers would hold events back.
      'x-accel-buffering': 'no',
    })
    reply.hijack()
    const reader = { ...owner, live: live.get(sessionId) ?? nothing, out }
    readers.add(reader)
    out.on('close', () => readers.delete(reader))
    out.write(': connected\n\n')
    const lastId = reply.request.headers['last-event-id']
    if (typeof lastId !== 'string') return
    const missed = told.after(lastId) ?? everythingOf(reader.live)
    for (const event of missed) tell(reader, event)
  })
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
  told: ToldChanges,
): void => {
  const stops: (() => void)[] = []
  // What is told after somebody lost a right waits until it is known who may hear it.
  let checked = Promise.resolve()
  const next = (step: () => unknown) => {
    checked = checked.then(step).then(
      () => {},
      (error: unknown) => app.log.warn({ err: error }, 'event readers not told or not checked'),
    )
  }
  const check = () => next(() => checkReaders(app, readers))
  server.addHook('onReady', async () => {
    stops.push(
      await app.listener.subscribe(CHANGED_CHANNEL, (payload) => {
        next(toReaders(readers, told, payload))
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

/** Ends streams whose session or right is over, learns of joined workspaces, and keeps proxies from closing the rest. */
const checkReaders = async (app: App, readers: Set<Reader>): Promise<void> => {
  if (readers.size === 0) return
  const live = await liveSessions(
    app,
    [...readers].map((reader) => reader.sessionId),
  )
  for (const reader of readers) {
    const found = live.get(reader.sessionId)
    if (found === undefined || hasLostRight(reader.live, found)) {
      // What is told next is not for a stream that has ended; its 'close' comes later.
      readers.delete(reader)
      reader.out.end()
    } else {
      reader.live = found
      write(reader, ': heartbeat\n\n')
    }
  }
}

const topics = changed.shape.topic.options

/** Pages that are drawn from here on know of it at once; @returns what tells those that listen. */
const toReaders = (
  readers: Set<Reader>,
  told: ToldChanges,
  payload: string | null,
): (() => void) => {
  if (payload === null) {
    told.lose()
    // Notifications may have been missed: everything may have changed.
    return () => {
      for (const reader of readers)
        for (const event of everythingOf(reader.live)) tell(reader, event)
    }
  }
  const event = changed.parse(JSON.parse(payload))
  told.add(event)
  return () => {
    for (const reader of readers) tell(reader, event)
  }
}

const tell = (reader: Reader, event: Changed): void => {
  if (mayHear(reader.live, event)) write(reader, eventOf(event))
}

const everythingOf = (live: LiveSession): Changed[] =>
  [...live].flatMap(([workspaceId, { mailboxIds }]) => [
    ...topics.map((topic) => ({ topic, workspaceId })),
    ...[...mailboxIds].map((mailboxId) => ({ topic: 'messages' as const, workspaceId, mailboxId })),
  ])

/** Its client opens another one with the rights that are left, and reads its lists anew. */
const hasLostRight = (before: LiveSession, now: LiveSession): boolean =>
  [...everythingOf(before), ...[...before.keys()].map(mailOfAny)].some(
    (event) => mayHear(before, event) && !mayHear(now, event),
  )

/** Of a mailbox that nobody was let into: heard by who sees all of them. */
const mailOfAny = (workspaceId: string): Changed => ({
  ...{ topic: 'messages', workspaceId, mailboxId: '' },
})

const eventOf = (event: Changed): string => `data: ${JSON.stringify(event)}\n\n`

const write = ({ out }: Reader, text: string): void => {
  if (out.writableEnded || out.destroyed) return
  out.write(text)
  if (out.writableLength > MAX_UNREAD_BYTES) out.destroy()
}
