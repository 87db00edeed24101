/**
 * Limits connections, each of which costs memory and a file handle even when idle: per network and in
 * all, over every port of the web. At a limit, the connection that has been idle or sending a request for longest is closed; at the
 * limit of all, one of the network that holds most.
 */
import type { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Server, Socket } from 'node:net'
import { networkOf } from '#server/features/limits/throttle.ts'
import { addressIn, endsOf, isInRange } from '#server/lib/address-text.ts'

export type ConnectionLimits = { ofAll: number; ofNetwork: number }

const USUAL: ConnectionLimits = { ofAll: 4_000, ofNetwork: 1_000 }

/** Requests under way per connection: browsers wait for each answer, and other clients rarely pipeline more. HTTP/2 counts its own. */
const MAX_AHEAD = 8

type Held = { socket: Socket; underWay: Set<IncomingMessage> }
/** By port of the client. Oldest first; an answered request moves its connection to the end. */
type Own = Map<string, Held>

export type Connections = {
  /** Those that come in at this server. */
  count(server: Server): void
  /** What is asked over them, of a server whose listeners of requests are there already. With TLS it is another server. */
  follow(server: EventEmitter): void
}

export const openConnections = (
  trustedProxies: readonly string[],
  { ofAll, ofNetwork }: ConnectionLimits = USUAL,
): Connections => {
  /** A proxy's address stands for many networks. */
  const isProxy = (address: string) => trustedProxies.some((range) => isInRange(address, range))
  const networks = new Map<string, Own>()
  let count = 0

  const enter = (socket: Socket) => {
    // A closed connection has none.
    const address = addressIn(socket.remoteAddress ?? '')
    if (address === null) return void socket.destroy()
    const network = networkOf(address)
    const own: Own = networks.get(network) ?? new Map()
    const isFull = own.size >= (isProxy(address) ? ofAll : ofNetwork)
    const crowded = isFull ? own : count >= ofAll ? largestOf(networks) : null
    if (crowded !== null && !endIdlest(crowded)) return void socket.destroy()
    networks.set(network, own)
    const key = endsOf(socket)
    const held = { socket, underWay: new Set<IncomingMessage>() }
    own.set(key, held)
    count += 1
    socket.once('close', () => {
      // The connection may have been closed to make room, and the client's port be in use again.
      if (own.get(key) === held) own.delete(key)
      count -= 1
      if (own.size === 0 && networks.get(network) === own) networks.delete(network)
    })
  }

  const follow = (request: IncomingMessage, response: ServerResponse) => {
    const address = addressIn(request.socket.remoteAddress ?? '')
    const own = address === null ? undefined : networks.get(networkOf(address))
    const key = endsOf(request.socket)
    const held = own?.get(key)
    if (own === undefined || held === undefined) return
    held.underWay.add(request)
    response.once('close', () => {
      held.underWay.delete(request)
      if (own.get(key) !== held || held.socket.destroyed) return
      own.delete(key)
      own.set(key, held)
    })
  }

  return {
    count: (server) => void server.on('connection', enter),
    follow: (server) => {
      limitAhead(server)
      server.on('request', follow)
    },
  }
}

/**
 * Node starts every pipelined request in the bytes it has read, and holds all their answers until they are read. A
 * connection that pipelines more is closed before the next request starts.
 */
const limitAhead = (server: EventEmitter): void => {
  const ahead = new WeakMap<Socket, number>()
  const begin = server.listeners('request')
  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    const start = () => {
      for (const each of begin) each.call(server, request, response)
    }
    if (request.httpVersionMajor >= 2) return start()
    if (socket.destroyed) return
    const count = (ahead.get(socket) ?? 0) + 1
    if (count > MAX_AHEAD) return void socket.destroy()
    ahead.set(socket, count)
    response.once('close', () => ahead.set(socket, (ahead.get(socket) ?? 1) - 1))
    start()
  })
}

/** A connection with an answer under way stays. @returns whether one was closed */
const endIdlest = (own: Own): boolean => {
  for (const [key, { socket, underWay }] of own) {
    if ([...underWay].some((request) => request.complete)) continue
    own.delete(key)
    socket.destroy()
    return true
  }
  return false
}

const largestOf = (networks: ReadonlyMap<string, Own>): Own => {
  let largest: Own = new Map()
  for (const own of networks.values()) if (own.size > largest.size) largest = own
  return largest
}
