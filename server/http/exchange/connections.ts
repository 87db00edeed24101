/**
 * Limits connections, each of which costs memory and a file handle even when idle: per network and in
 * all. At a limit, the connection that has been idle or sending a request for longest is closed; at the limit of
 * all, one of the network that holds most.
 */
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf } from '#server/features/limits/throttle.ts'
import { addressIn, isInRange } from '#server/lib/address-text.ts'

export type ConnectionLimits = { ofAll: number; ofNetwork: number }

const USUAL: ConnectionLimits = { ofAll: 4_000, ofNetwork: 1_000 }

/** Requests under way per connection: browsers wait for each answer, and other clients rarely pipeline more. */
const MAX_AHEAD = 8

/** Oldest first; an answered request moves its connection to the end. */
type Own = Map<Socket, { request: IncomingMessage | null }>

export const limitConnections = (
  server: Server,
  trustedProxies: readonly string[],
  { ofAll, ofNetwork }: ConnectionLimits = USUAL,
): void => {
  /** A proxy's address stands for many networks. */
  const isProxy = (address: string) => trustedProxies.some((range) => isInRange(address, range))
  const networks = new Map<string, Own>()
  const homes = new WeakMap<Socket, Own>()
  let count = 0

  server.on('connection', (socket: Socket) => {
    // A closed connection has none.
    const address = addressIn(socket.remoteAddress ?? '')
    if (address === null) return socket.destroy()
    const network = networkOf(address)
    const own: Own = networks.get(network) ?? new Map()
    const isFull = own.size >= (isProxy(address) ? ofAll : ofNetwork)
    const crowded = isFull ? own : count >= ofAll ? largestOf(networks) : null
    if (crowded !== null && !endIdlest(crowded)) return socket.destroy()
    networks.set(network, own)
    homes.set(socket, own)
    own.set(socket, { request: null })
    count += 1
    socket.once('close', () => {
      // The connection may have been closed to make room.
      own.delete(socket)
      count -= 1
      if (own.size === 0 && networks.get(network) === own) networks.delete(network)
    })
    return undefined
  })
  limitAhead(server)
  server.on('request', (request, response) => {
    const { socket } = request
    const own = homes.get(socket)
    own?.set(socket, { request })
    response.once('close', () => {
      if (own?.delete(socket) && !socket.destroyed) own.set(socket, { request: null })
    })
  })
}

/**
 * Node starts every pipelined request in the bytes it has read, and holds all their answers until they are read. A
 * connection that pipelines more is closed before the next request starts.
 */
const limitAhead = (server: Server): void => {
  const ahead = new WeakMap<Socket, number>()
  const begin = server.listeners('request')
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    const { socket } = request
    if (socket.destroyed) return
    const count = (ahead.get(socket) ?? 0) + 1
    if (count > MAX_AHEAD) return void socket.destroy()
    ahead.set(socket, count)
    response.once('close', () => ahead.set(socket, (ahead.get(socket) ?? 1) - 1))
    for (const each of begin) each.call(server, request, response)
  })
}

/** A connection with an answer under way stays. @returns whether one was closed */
const endIdlest = (own: Own): boolean => {
  for (const [socket, { request }] of own) {
    if (request?.complete) continue
    own.delete(socket)
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
