/**
 * HTTPS_PORT: the pages and the API over TLS, with HTTP/2 where the client has it. A directory that wants a proof by tls-alpn-01 (RFC
 * 8737) comes to the same port; its first bytes tell it from all others.
 */
import {
  constants,
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerResponse,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import { createServer, type Server, type Socket } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import type { App } from '#server/app.ts'
import { answerByCertificate } from '#server/features/certificates/answer-challenge.ts'
import { ACME_ALPN } from '#server/lib/acme/challenges.ts'
import { peerOf } from '#server/lib/address-text.ts'
import { behindBalancers, keepClients } from '#server/lib/ports/behind-balancers.ts'
import type { Connections } from '../exchange/connections.ts'
import { refuseUnread } from '../exchange/errors.ts'
import { readClientHello } from './client-hello.ts'

/** Time for requests under way after the door closes. */
const LAST_REQUESTS_MS = 1_000
const HANDSHAKE_MS = 15_000
/** Requests under way of one connection; browsers send a hundred at once. */
const MOST_STREAMS = 100
/** Requests that the client takes back: each is answered all the same. More end the connection. A browser takes back a few as one types. */
const RESETS = { burst: 50, perSecond: 20 }
/** As without TLS. */
const HEADER_BYTES = 16_384

/** Of one connection, before it may ask for more. */
const SESSION_MB = 2

/** As without TLS. Tests set these lower. */
export type Times = { headersMs: number; bodyMs: number; silentMs: number; checkMs: number }

const USUAL: Times = { headersMs: 15_000, bodyMs: 300_000, silentMs: 90_000, checkMs: 5_000 }

export type SecureDoor = { server: Server; close(): Promise<void> }

/** Does not listen yet. */
export const openSecureDoor = async (
  app: App,
  web: FastifyInstance,
  limits: Connections,
  given: Partial<Times> = {},
): Promise<SecureDoor> => {
  const times = { ...USUAL, ...given }
  await app.certificates.load()
  const secure = secureServer(app, times)
  secure.on('request', (request, response) => {
    if (request.httpVersionMajor === 2) boundStream(response, times)
    web.routing(request as never, response as never)
  })
  limits.follow(secure)
  const keepClientOf = keepClients(secure)
  const stopWatching = app.certificates.onChange((usual) => secure.setSecureContext(usual))
  const sessions = new Set<ServerHttp2Session>()
  secure.on('session', (session) => {
    sessions.add(session)
    session.once('close', () => sessions.delete(session))
  })
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    sortOut(socket, {
      serve: () => {
        keepClientOf(socket)
        secure.emit('connection', socket)
      },
      // It costs a look-up in the database: strangers have a pace.
      prove: async (name) => {
        await web.pace(peerOf(socket))
        await prove(app, socket, name)
      },
    })
  })
  limits.count(server)
  behindBalancers(server, app)
  server.on('error', (error) => app.log.debug({ err: error }, 'a connection was not taken'))
  return {
    server,
    close: async () => {
      stopWatching()
      const closed = new Promise((done) => server.close(done))
      secure.close(() => {})
      // Those that answer nothing end at once.
      for (const session of sessions) session.close()
      setTimeout(() => {
        for (const socket of sockets) socket.destroy()
      }, LAST_REQUESTS_MS).unref()
      await closed
    },
  }
}

const secureServer = (app: App, times: Times): Http2SecureServer => {
  const secure = createSecureServer({
    ...app.certificates.usual(),
    SNICallback: app.certificates.forName,
    ...{ allowHTTP1: true, handshakeTimeout: HANDSHAKE_MS, minVersion: 'TLSv1.2' },
    ...{ maxHeaderSize: HEADER_BYTES, maxSessionMemory: SESSION_MB },
    ...{ streamResetBurst: RESETS.burst, streamResetRate: RESETS.perSecond },
    settings: { maxConcurrentStreams: MOST_STREAMS, maxHeaderListSize: HEADER_BYTES },
  })
  // Of HTTP/1 alone.
  Object.assign(secure, {
    headersTimeout: times.headersMs,
    requestTimeout: times.bodyMs,
    keepAliveTimeout: 72_000,
    connectionsCheckingInterval: times.checkMs,
  })
  // Node looks at those times from then on; this server is handed its connections, and never listens itself.
  secure.emit('listening')
  // Without a listener the session ends.
  secure.setTimeout(times.silentMs)
  const ignore = (what: string) => (error: Error) => app.log.debug({ err: error }, what)
  secure.on('clientError', refuseUnread)
  secure.on('tlsClientError', ignore('a client broke TLS off'))
  secure.on('sessionError', ignore('an HTTP/2 session broke'))
  secure.on('error', ignore('a connection over TLS broke'))
  return secure
}

/** What HTTP/1 has of a connection, HTTP/2 needs of each request: other frames would keep the connection alive. */
const boundStream = (response: Http2ServerResponse, times: Times): void => {
  const { stream, req } = response
  // The rest of the server asks answers of HTTP/1, which have it.
  Object.defineProperty(response, 'destroyed', { get: () => stream.destroyed })
  const cut = () => stream.close(constants.NGHTTP2_CANCEL)
  cutUnread(stream, times.silentMs, cut)
  if (stream.endAfterHeaders) return
  const late = setTimeout(cut, times.bodyMs).unref()
  const end = () => clearTimeout(late)
  req.once('end', end)
  stream.once('close', end)
}

/** Node's own time limit of a stream counts every frame of the connection, also the answers to pings. */
const cutUnread = (stream: ServerHttp2Stream, ms: number, cut: () => void): void => {
  let waiting = 0
  // Pieces of an answer are small enough to be read within that time.
  stream.on('drain', () => {
    waiting = 0
  })
  const looking = setInterval(() => {
    const { writableLength } = stream
    if (writableLength > 0 && writableLength === waiting) cut()
    waiting = writableLength
  }, ms).unref()
  stream.once('close', () => clearInterval(looking))
}

type Ways = { serve: () => void; prove: (name: string) => Promise<void> }

/** Looks at the first bytes and puts them back. */
const sortOut = (socket: Socket, { serve, prove }: Ways): void => {
  let seen = Buffer.alloc(0)
  const look = (): void => {
    const bytes: Buffer | null = socket.read()
    if (bytes !== null) seen = Buffer.concat([seen, bytes])
    const hello = readClientHello(seen)
    if (hello === 'more') {
      socket.once('readable', look)
      return
    }
    clearTimeout(late)
    socket.unshift(seen)
    const asked = hello?.protocols.includes(ACME_ALPN) ? hello.serverName : null
    if (asked === null) serve()
    else void prove(asked)
  }
  const late = setTimeout(() => socket.destroy(), HANDSHAKE_MS)
  socket.once('close', () => clearTimeout(late))
  look()
}

const prove = async (app: App, socket: Socket, name: string): Promise<void> => {
  const found = await answerByCertificate(app, name).catch(() => null)
  if (found === null || socket.destroyed) return void socket.destroy()
  const proof = new TLSSocket(socket, {
    ...{ isServer: true, secureContext: createSecureContext(found), ALPNProtocols: [ACME_ALPN] },
  })
  proof.on('error', () => {})
  // Nothing but the handshake is asked for.
  proof.once('secure', () => proof.end())
  setTimeout(() => proof.destroy(), HANDSHAKE_MS).unref()
}
