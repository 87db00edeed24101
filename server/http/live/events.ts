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
import { type LiveSession, liveSessions } from '#server/features/auth/sessions/live-sessions.ts'
import { CHANGED_CHANNEL, SESSIONS_ENDED_CHANNEL } from '#server/storage/notifications.ts'
import { serveBytes } from '../serve.ts'
import type { ToldChanges } from './told-changes.ts'

const HEARTBEAT_MS = 25_000
/** A reader that falls this far behind is cut off; it connects again and reads its lists anew. */
const MAX_UNREAD_BYTES = 1_000_000
/** Each tab of a browser has one. */
const MAX_OF_SESSION = 50
const RETRY_SECONDS = 60

type Reader = { sessionId: string; live: LiveSession; out: ServerResponse }

const nothing: LiveSession = { workspaceIds: new Set(), mailboxId: null }

export const registerEvents = (server: FastifyInstance, app: App, told: ToldChanges): void => {
  const readers = new Set<Reader>()
  watchDatabase(server, app, readers, told)
  serveBytes(server, app, readEvents, async (_input, { sessionId }, reply) => {
    const live = await liveSessions(app, [sessionId])
    const own = [...readers].filter((reader) => reader.sessionId === sessionId)
    if (own.length >= MAX_OF_SESSION)
      throw new AppError('TOO_MANY_REQUESTS', { retryAfterSeconds: RETRY_SECONDS })
    const out = reply.raw
    out.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      // Proxies that gather answers would hold events back.
      'x-accel-buffering': 'no',
    })
    reply.hijack()
    const reader = { sessionId, live: live.get(sessionId) ?? nothing, out }
    readers.add(reader)
    out.on('close', () => readers.delete(reader))
    out.write(': connected\n\n')
    const lastId = reply.request.headers['last-event-id']
    if (typeof lastId !== 'string') return
    const missed = told.after(lastId) ?? everythingOf(reader.live)
    for (const event of missed) if (isFor(reader.live, event)) write(reader, eventOf(event))
  })
}

/** One subscription and one heartbeat for all readers of this process. */
const watchDatabase = (
  server: FastifyInstance,
  app: App,
  readers: Set<Reader>,
  told: ToldChanges,
): void => {
  const stops: (() => void)[] = []
  const check = () => {
    checkReaders(app, readers).catch((error: unknown) => {
      app.log.warn({ err: error }, 'event readers not checked')
    })
  }
  server.addHook('onReady', async () => {
    stops.push(
      await app.listener.subscribe(CHANGED_CHANNEL, (payload) =>
        tellReaders(readers, told, payload),
      ),
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

/** Ends streams whose session is over, learns of joined and left workspaces, and keeps proxies from closing the rest. */
const checkReaders = async (app: App, readers: Set<Reader>): Promise<void> => {
  if (readers.size === 0) return
  const live = await liveSessions(
    app,
    [...readers].map((reader) => reader.sessionId),
  )
  for (const reader of readers) {
    const found = live.get(reader.sessionId)
    if (found === undefined) reader.out.end()
    else {
      reader.live = found
      write(reader, ': heartbeat\n\n')
    }
  }
}

const topics = changed.shape.topic.options

const tellReaders = (readers: Set<Reader>, told: ToldChanges, payload: string | null): void => {
  if (payload === null) {
    told.lose()
    // Notifications may have been missed: everything may have changed.
    for (const reader of readers)
      for (const event of everythingOf(reader.live)) write(reader, eventOf(event))
    return
  }
  const event = changed.parse(JSON.parse(payload))
  told.add(event)
  const text = eventOf(event)
  for (const reader of readers) if (isFor(reader.live, event)) write(reader, text)
}

const isFor = ({ workspaceIds, mailboxId }: LiveSession, event: Changed): boolean =>
  workspaceIds.has(event.workspaceId) && (mailboxId === null || mailboxId === event.mailboxId)

const everythingOf = ({ workspaceIds, mailboxId }: LiveSession): Changed[] =>
  [...workspaceIds].flatMap((workspaceId) =>
    mailboxId === null
      ? topics.map((topic) => ({ topic, workspaceId }))
      : [{ topic: 'messages' as const, workspaceId, mailboxId }],
  )

const eventOf = (event: Changed): string => `data: ${JSON.stringify(event)}\n\n`

const write = ({ out }: Reader, text: string): void => {
  out.write(text)
  if (out.writableLength > MAX_UNREAD_BYTES) out.destroy()
}
