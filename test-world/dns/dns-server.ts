/**
 * An authoritative DNS server on loopback, UDP and TCP on one port, whose zones change at run time. It plays two parts: the
 * resolver (queries with RD, as to DNS_SERVERS) and the name server of each zone (without RD, as to DNS_PORT). A name outside all
 * zones does not exist.
 */
import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { createServer, type Server, type Socket } from 'node:net'
import {
  AUTHORITATIVE_ANSWER,
  CHECKING_DISABLED,
  decode,
  encode,
  type Packet,
  type Question,
  RECURSION_AVAILABLE,
  RECURSION_DESIRED,
  TRUNCATED_RESPONSE,
} from 'dns-packet'
import { DnsZones, plainName, type ZoneRecordType, type ZoneValue } from './dns-zones.ts'

/**
 * servfail, refused: that error. silent: no answer. slow: a late answer. truncate: TC over UDP, complete over TCP. lame: answers
 * without authority and records. garbage: bytes that are not DNS.
 * lame-delegation: the parent delegates to a server without the zone: lame itself, SERVFAIL at the resolver.
 * bogus: SERVFAIL unless checking is disabled (CD), like a resolver that finds wrong DNSSEC signatures.
 */
export type DnsBehaviour =
  | 'servfail'
  | 'refused'
  | 'silent'
  | 'slow'
  | 'truncate'
  | 'lame'
  | 'lame-delegation'
  | 'garbage'
  | 'bogus'
export type DnsPart = 'resolver' | 'authority'
export type SeenQuery = { name: string; type: string; transport: 'udp' | 'tcp'; part: DnsPart }

export type TestDns = {
  port: number
  /** For DNS_SERVERS. */
  address: string
  zone(name: string, serverIp?: string): void
  set(name: string, type: ZoneRecordType, values: ZoneValue[], ttl?: number): void
  remove(name: string, type?: ZoneRecordType): void
  /** Only the resolver part answers this, like an old value in its cache; null removes it. */
  setCached(name: string, type: ZoneRecordType, values: ZoneValue[] | null): void
  clearCached(): void
  /** Applies to this name and all names below it; null ends it. Without a part: both parts. */
  behave(name: string, behaviour: DnsBehaviour | null, part?: DnsPart): void
  /** The newest 10,000 queries. */
  queries: SeenQuery[]
  close(): Promise<void>
}

const MAX_SEEN = 10_000
const PLAIN_UDP_BYTES = 512
/** The delay of 'slow': noticeable, but below the timeout of a look-up. */
const SLOW_MS = 1_200

/** With another `host` in 127.0.0.0/8, a second server of the same zones can use the same port. */
export const aDnsServer = async ({
  port = 0,
  host = '127.0.0.1',
}: {
  port?: number
  host?: string
} = {}): Promise<TestDns> => {
  const zones = new DnsZones()
  const cached = new Map<string, DnsZones>()
  const behaviours = new Map<string, DnsBehaviour>()
  const queries: SeenQuery[] = []

  const behaviourOf = (name: string, part: DnsPart): DnsBehaviour | undefined => {
    if (behaviours.size === 0) return undefined
    for (let at = name; ; at = at.slice(at.indexOf('.') + 1)) {
      const found = behaviours.get(`${part} ${at}`)
      if (found || !at.includes('.')) return found
    }
  }

  const late = new Set<NodeJS.Timeout>()
  const respond: Respond = (bytes, transport, send) => {
    const query = readQuery(bytes)
    const question = query?.questions?.[0]
    if (!query || !question) return
    const part: DnsPart = (query.flags ?? 0) & RECURSION_DESIRED ? 'resolver' : 'authority'
    const name = plainName(question.name)
    if (queries.length >= MAX_SEEN) queries.splice(0, MAX_SEEN / 2)
    queries.push({ name, type: question.type, transport, part })

    const behaviour = behaviourOf(name, part)
    const answer = answerOf({ query, question, part, name, transport }, behaviour)
    if (answer === null) return
    if (behaviour !== 'slow') return send(answer)
    const timer = setTimeout(() => {
      late.delete(timer)
      send(answer)
    }, SLOW_MS)
    late.add(timer)
  }

  /** The bytes of the answer; null for silence. */
  const answerOf = (asked: Asked, behaviour: DnsBehaviour | undefined): Buffer | null => {
    const { query, question, part, name, transport } = asked
    if (behaviour === 'silent') return null
    if (behaviour === 'garbage') return Buffer.from('this is no DNS answer')
    const isChecked = ((query.flags ?? 0) & CHECKING_DISABLED) === 0
    if (behaviour === 'lame-delegation' && part === 'resolver')
      return reply(query, question, part, { rcode: 2 })
    if (behaviour === 'servfail' || (behaviour === 'bogus' && isChecked))
      return reply(query, question, part, { rcode: 2 })
    if (behaviour === 'refused') return reply(query, question, part, { rcode: 5 })
    // This server also plays the parent zone, which answers with the delegation.
    const isLame =
      behaviour === 'lame' ||
      (behaviour === 'lame-delegation' && part === 'authority' && question.type !== 'NS')
    if (isLame) return reply(query, question, part, { rcode: 0, isLame: true })
    if (behaviour === 'truncate' && transport === 'udp')
      return reply(query, question, part, { rcode: 0, isTruncated: true })

    const old = part === 'resolver' ? cached.get(`${name} ${question.type}`) : undefined
    const { rcode, ...sections } = (old ?? zones).answer(question)
    const whole = reply(query, question, part, { rcode: rcode === 'NXDOMAIN' ? 3 : 0, ...sections })
    const opt = query.additionals?.find((record) => record.type === 'OPT')
    const limit = opt?.type === 'OPT' ? Math.max(opt.udpPayloadSize, 512) : PLAIN_UDP_BYTES
    if (transport === 'tcp' || whole.length <= limit) return whole
    return reply(query, question, part, { rcode: 0, isTruncated: true })
  }

  const { udp, tcp, connections } = await listen({ port, host }, respond)
  const address = tcp.address()
  const chosen = address !== null && typeof address === 'object' ? address.port : port
  return {
    port: chosen,
    address: `${host}:${chosen}`,
    zone: (name, serverIp) => zones.zone(name, serverIp),
    set: (name, type, values, ttl) => zones.set(name, type, values, ttl),
    remove: (name, type) => zones.remove(name, type),
    setCached: (name, type, values) => {
      const key = `${plainName(name)} ${type}`
      const old = new DnsZones()
      if (values !== null && values.length > 0) old.set(name, type, values)
      if (values === null) cached.delete(key)
      else cached.set(key, old)
    },
    clearCached: () => cached.clear(),
    behave: (name, behaviour, part) => {
      for (const each of part ? [part] : (['resolver', 'authority'] as const)) {
        if (behaviour) behaviours.set(`${each} ${plainName(name)}`, behaviour)
        else behaviours.delete(`${each} ${plainName(name)}`)
      }
    },
    queries,
    close: async () => {
      for (const timer of late) clearTimeout(timer)
      for (const connection of connections) connection.destroy()
      await Promise.all([
        new Promise<void>((done) => udp.close(() => done())),
        new Promise<void>((done) => tcp.close(() => done())),
      ])
    },
  }
}

const readQuery = (bytes: Buffer): Packet | null => {
  try {
    const packet = decode(bytes)
    return packet.flag_qr ? null : packet
  } catch {
    return null
  }
}

type Sections = Pick<Packet, 'answers' | 'authorities' | 'additionals'>

const reply = (
  query: Packet,
  question: Question,
  part: DnsPart,
  how: Sections & { rcode: number; isTruncated?: boolean; isLame?: boolean },
): Buffer => {
  const { rcode, isTruncated, isLame, ...sections } = how
  const asked = (query.flags ?? 0) & RECURSION_DESIRED
  const role = part === 'resolver' ? RECURSION_AVAILABLE : isLame ? 0 : AUTHORITATIVE_ANSWER
  return encode({
    type: 'response',
    id: query.id ?? 0,
    flags: asked | role | (isTruncated ? TRUNCATED_RESPONSE : 0) | rcode,
    questions: [question],
    ...sections,
  })
}

type Transport = 'udp' | 'tcp'
type Asked = {
  query: Packet
  question: Question
  part: DnsPart
  name: string
  transport: Transport
}
type Respond = (bytes: Buffer, transport: Transport, send: (answer: Buffer) => void) => void

/** UDP and TCP on one port; tries another one when the TCP port from the system is taken for UDP. */
type Place = { port: number; host: string }

const listen = async ({ port, host }: Place, respond: Respond) => {
  for (let attempt = 1; ; attempt++) {
    const connections = new Set<Socket>()
    const tcp = createServer((connection) => serveStream(connection, connections, respond))
    await new Promise<void>((done, fail) => {
      tcp.once('error', fail)
      tcp.listen(port, host, done)
    })
    try {
      return { tcp, udp: await listenUdp({ port: portOf(tcp), host }, respond), connections }
    } catch (error) {
      await new Promise<void>((done) => tcp.close(() => done()))
      if (port !== 0 || attempt === 5) throw error
    }
  }
}

const portOf = (server: Server): number => {
  const address = server.address()
  return address !== null && typeof address === 'object' ? address.port : 0
}

const listenUdp = async ({ port, host }: Place, respond: Respond): Promise<UdpSocket> => {
  const socket = createSocket({ type: 'udp4', recvBufferSize: 1 << 20 })
  socket.on('message', (bytes, from) => {
    respond(bytes, 'udp', (answer) => socket.send(answer, from.port, from.address, () => {}))
  })
  await new Promise<void>((done, fail) => {
    socket.once('error', fail)
    socket.bind(port, host, () => {
      socket.off('error', fail)
      // A disconnected client is not an error of the server.
      socket.on('error', () => {})
      done()
    })
  })
  return socket
}

const serveStream = (connection: Socket, connections: Set<Socket>, respond: Respond): void => {
  connections.add(connection)
  connection.on('close', () => connections.delete(connection))
  connection.on('error', () => connection.destroy())
  let waiting = Buffer.alloc(0)
  connection.on('data', (chunk: Buffer) => {
    waiting = Buffer.concat([waiting, chunk])
    while (waiting.length >= 2 && waiting.length >= 2 + waiting.readUInt16BE(0)) {
      const end = 2 + waiting.readUInt16BE(0)
      const query = waiting.subarray(2, end)
      waiting = waiting.subarray(end)
      respond(query, 'tcp', (answer) => {
        const length = Buffer.alloc(2)
        length.writeUInt16BE(answer.length)
        connection.write(Buffer.concat([length, answer]))
      })
    }
  })
}
