/**
 * Connections cost memory and a file handle each, whether or not anything is asked on them. One network has so many, and all
 * together so many. Where places run out, the connection goes that has been idle, or sending a request, for longest; of all
 * the networks, one of that which holds most.
 */
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf } from '#server/features/limits/throttle.ts'
import { addressIn, isInRange } from '#server/lib/address-text.ts'

export type ConnectionLimits = { ofAll: number; ofNetwork: number }

const USUAL: ConnectionLimits = { ofAll: 4_000, ofNetwork: 1_000 }

/** Requests that one connection may have under way: browsers wait for each answer, and programs hardly send more ahead. */
const MAX_AHEAD = 8

/** The oldest first; a connection whose request was answered goes to the end. */
type Own = Map<Socket, { request: IncomingMessage | null }>

export const limitConnections = (
  server: Server,
  trustedProxies: readonly string[],
  { ofAll, ofNetwork }: ConnectionLimits = USUAL,
): void => {
  /** Many networks come by the address of a proxy. */
  const isProxy = (address: string) => trustedProxies.some((range) => isInRange(address, range))
  const networks = new Map<string, Own>()
  const homes = new WeakMap<Socket, Own>()
  let count = 0

  server.on('connection', (socket: Socket) => {
    // One that has gone already has none.
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
      // Whoever was ended to make room is not here any more.
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
 * Node hears every request that stands in what it has read, and keeps the answers of all of them until they are read. A
 * connection that sends more ahead is ended before the next one is begun.
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

/** What is being answered stays. @returns whether there was one to end */
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
