/** Ports that stand behind balancers of TCP, which say whose connection each is (decision 136). */
import type { EventEmitter } from 'node:events'
import type { Server, Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { endsOf, isInRange, peerOf } from '../address-text.ts'
import { readProxyHeader } from './proxy-header.ts'

const HEADER_MS = 5_000

type Known = {
  config: { proxyProtocol: readonly string[] }
  log: { warn(sentence: string): void }
}

/**
 * Who listens to connections of this server gets those of balancers when their header was read, with the address of the client; all
 * others as they come. One without a header is closed: it would be taken for a client that has the balancer's rights.
 */
export const behindBalancers = (server: Server, { config, log }: Known): void => {
  const ranges = config.proxyProtocol
  if (ranges.length === 0) return
  const warned = new Set<string>()
  const listeners = server.listeners('connection')
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const peer = peerOf(socket)
    const pass = () => {
      for (const each of listeners) each.call(server, socket)
    }
    if (peer === '' || !ranges.some((range) => isInRange(peer, range))) return pass()
    readHeader(socket, (isRead) => {
      if (isRead) return pass()
      socket.destroy()
      if (warned.has(peer)) return
      warned.add(peer)
      log.warn(
        `A connection from ${peer}, which PROXY_PROTOCOL names, did not begin with the PROXY protocol and was closed. Let that balancer send it, or take it out of PROXY_PROTOCOL`,
      )
    })
  })
}

/** Puts back what comes after it. `done` is called once, unless the connection ends before. */
const readHeader = (socket: Socket, done: (isRead: boolean) => void): void => {
  let seen = Buffer.alloc(0)
  const ignore = () => {}
  const finish = (isRead: boolean): void => {
    clearTimeout(late)
    socket.off('readable', look)
    // Who listens next has handlers of its own; one that comes late finds this one.
    if (isRead) setImmediate(() => socket.off('error', ignore))
    done(isRead)
  }
  const look = (): void => {
    const bytes: Buffer | null = socket.read()
    if (bytes === null) return
    seen = Buffer.concat([seen, bytes])
    const header = readProxyHeader(seen)
    if (header === 'more') return
    if (header === 'wrong') {
      finish(false)
      return
    }
    const rest = seen.subarray(header.length)
    if (rest.length > 0) socket.unshift(rest)
    if (header.client !== null) speakFor(socket, header.client)
    finish(true)
  }
  const late = setTimeout(finish, HEADER_MS, false)
  socket.on('error', ignore)
  socket.once('close', () => clearTimeout(late))
  socket.on('readable', look)
}

const speakFor = (socket: Socket, { address, port }: { address: string; port: number }): void => {
  balancers.set(socket, endsOf(socket))
  Object.defineProperties(socket, {
    remoteAddress: { value: address, configurable: true },
    remotePort: { value: port, configurable: true },
  })
}

/** TLS over a connection has its client. */
export const keepClient = <T extends TLSSocket>(
  secured: T,
  { remoteAddress, remotePort }: Socket,
): T => {
  if (
    remoteAddress !== undefined &&
    remotePort !== undefined &&
    secured.remoteAddress !== remoteAddress
  )
    speakFor(secured, { address: remoteAddress, port: remotePort })
  return secured
}

/** For a server that makes TLS of the connections it is given, and knows only their ends: `enter` each before. */
export const keepClients = (server: EventEmitter) => {
  const clients = new Map<string, Socket>()
  // Before those who look at the address.
  server.prependListener('secureConnection', (secured: TLSSocket) => {
    const socket = clients.get(endsOf(secured))
    if (socket !== undefined) keepClient(secured, socket)
  })
  return (socket: Socket): void => {
    const end = balancers.get(socket)
    if (end === undefined) return
    clients.set(end, socket)
    socket.once('close', () => clients.delete(end))
  }
}

/** The ends of a connection whose client is known, as they were before. */
const balancers = new WeakMap<Socket, string>()
