/**
 * Sends one query to one server: over UDP from a new port with a random id, then over TCP when the answer was truncated or did
 * not match the query (a forger cannot answer over TCP).
 */
import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { connect, isIPv6 } from 'node:net'
import type { RecordType } from './dns.ts'
import { type DnsQuery, type DnsReply, decodeReply, encodeQuery } from './dns-wire.ts'

export type DnsServerAddress = { ip: string; port: number }

export type Exchange =
  | { outcome: 'reply'; reply: DnsReply }
  | { outcome: 'silent'; fault: Silence; isTimeout: boolean; reason: string }

type Question = { name: string; type: RecordType; isRecursive: boolean; isUnchecked?: boolean }
export type Silence = 'timeout' | 'unreachable' | 'garbled'
type Received = DnsReply | 'foreign' | 'broken' | 'timeout' | 'unreachable'

const FORMERR = 1
const NOTIMP = 4

export const showServer = ({ ip, port }: DnsServerAddress): string =>
  port === 53 ? ip : isIPv6(ip) ? `[${ip}]:${port}` : `${ip}:${port}`

export const exchange = async (
  server: DnsServerAddress,
  question: Question,
  deadline: number,
  firstOver: 'udp' | 'tcp' = 'udp',
): Promise<Exchange> => {
  let query: DnsQuery = { ...question, id: randomInt(0x10000), hasEdns: true }
  let received = await (firstOver === 'udp' ? overUdp : overTcp)(server, query, deadline)
  if (isReply(received) && (received.rcode === FORMERR || received.rcode === NOTIMP)) {
    // An old server without EDNS support.
    query = { ...query, id: randomInt(0x10000), hasEdns: false }
    received = await overUdp(server, query, deadline)
  }
  const isDoubtful = isReply(received) ? received.isTruncated : received === 'foreign'
  if (isDoubtful || received === 'broken')
    received = await overTcp(server, { ...query, id: randomInt(0x10000) }, deadline)
  if (isReply(received)) return { outcome: 'reply', reply: received }
  return {
    outcome: 'silent',
    fault: received === 'timeout' || received === 'unreachable' ? received : 'garbled',
    isTimeout: received === 'timeout',
    reason: `${showServer(server)} ${sentences[received]}`,
  }
}

const sentences = {
  timeout: 'did not answer in time',
  unreachable: 'could not be reached',
  foreign: 'gave an answer to another question',
  broken: 'gave an answer that could not be read',
}

const isReply = (received: Received): received is DnsReply => typeof received === 'object'

/** On a busy machine the timer can fire although the answer has arrived: pending input is read first. */
const atDeadline = (deadline: number, giveUp: () => void): NodeJS.Timeout =>
  setTimeout(() => setImmediate(giveUp), Math.max(0, deadline - Date.now()))

const overUdp = (server: DnsServerAddress, query: DnsQuery, deadline: number): Promise<Received> =>
  new Promise((resolve) => {
    // A connected socket accepts packets only from this server, and reports at once when no process listens there.
    const socket = createSocket(isIPv6(server.ip) ? 'udp6' : 'udp4')
    const timer = atDeadline(deadline, () => finish('timeout'))
    let isDone = false
    const finish = (received: Received) => {
      if (isDone) return
      isDone = true
      clearTimeout(timer)
      socket.close()
      resolve(received)
    }
    socket.on('error', () => finish('unreachable'))
    socket.on('message', (bytes) => finish(decodeReply(bytes, query)))
    socket.on('connect', () => {
      if (!isDone) socket.send(encodeQuery(query))
    })
    try {
      socket.connect(server.port, server.ip)
    } catch {
      finish('unreachable')
    }
  })

const overTcp = (server: DnsServerAddress, query: DnsQuery, deadline: number): Promise<Received> =>
  new Promise((resolve) => {
    const socket = connect({ host: server.ip, port: server.port })
    const timer = atDeadline(deadline, () => finish('timeout'))
    const finish = (received: Received) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(received)
    }
    socket.on('error', () => finish('unreachable'))
    socket.on('close', () => finish('broken'))
    socket.on('connect', () => {
      const bytes = encodeQuery(query)
      const length = Buffer.alloc(2)
      length.writeUInt16BE(bytes.length)
      socket.write(Buffer.concat([length, bytes]))
    })
    const chunks: Buffer[] = []
    let size = 0
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      if (size < 2) return
      const whole = Buffer.concat(chunks)
      const length = whole.readUInt16BE(0)
      if (whole.length >= 2 + length) finish(decodeReply(whole.subarray(2, 2 + length), query))
    })
  })
