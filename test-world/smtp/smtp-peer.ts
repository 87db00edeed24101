/** Another mail server on loopback: accepts mail, or misbehaves as the test says. */
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'

export type PeerStage =
  | 'connect'
  | 'ehlo'
  | 'starttls'
  | 'auth'
  | 'rset'
  | 'mail'
  | 'rcpt'
  | 'data'
  | 'content'
  | 'dot'

/** Another reply line, silence, a reply that never ends, or a cut connection. undefined: the usual reply. */
export type PeerBehaviour =
  | string
  | 'stall'
  | 'drip'
  | 'cut'
  /** The usual reply, but only after this. At 'dot' the mail is accepted at once. */
  | { after: Promise<unknown> }
  | undefined

/** `connection`: the number of earlier connections. */
export type PeerCharacter = (
  stage: PeerStage,
  argument: string,
  connection: number,
) => PeerBehaviour

const DRIP_MS = 50

export type PeerMessage = {
  from: string
  to: string[]
  /** As sent, without dot-stuffing. */
  raw: Buffer
  isTls: boolean
  /** The parameters of MAIL. */
  parameters: string
}

export type PeerOptions = {
  /** `argument`: the address at mail and rcpt, the text after AUTH, otherwise ''. At 'content' only 'cut' and 'stall' work. */
  behave?: PeerCharacter
  onMessage?: (message: PeerMessage) => void
  /** Offers STARTTLS; 'broken' offers it, but speaks no TLS. */
  tls?: { key: string; cert: string } | 'broken'
  /** Extensions in addition to the usual ones. */
  extensions?: string[]
  port?: number
  host?: string
}

export type SmtpPeer = {
  port: number
  messages: PeerMessage[]
  connections: number
  /** The number of open connections. */
  open(): number
  /** Cuts every connection. */
  hangUp(): void
  behave: PeerCharacter
  /** Resolves when `count` messages have arrived. */
  arrived(count: number): Promise<PeerMessage[]>
  close(): Promise<void>
}

export const aSmtpPeer = async (options: PeerOptions = {}): Promise<SmtpPeer> => {
  const sockets = new Set<Socket>()
  const waiting = new Set<() => void>()
  const peer: SmtpPeer = {
    port: 0,
    messages: [],
    connections: 0,
    open: () => sockets.size,
    hangUp: () => {
      for (const socket of sockets) socket.destroy()
    },
    behave: options.behave ?? (() => undefined),
    arrived: async (count) => {
      while (peer.messages.length < count)
        await new Promise<void>((done) => {
          waiting.add(done)
        })
      return peer.messages
    },
    close: () =>
      new Promise((done) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => done())
      }),
  }
  const take = (message: PeerMessage) => {
    peer.messages.push(message)
    options.onMessage?.(message)
    for (const wake of waiting) wake()
    waiting.clear()
  }
  const server = createServer((socket) => {
    peer.connections++
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    converse(socket, peer, options, take)
  })
  await new Promise<void>((done) =>
    server.listen(options.port ?? 0, options.host ?? '127.0.0.1', done),
  )
  peer.port = (server.address() as AddressInfo).port
  return peer
}

const converse = (
  plain: Socket,
  peer: SmtpPeer,
  options: PeerOptions,
  take: (message: PeerMessage) => void,
): void => {
  const connection = peer.connections - 1
  let socket = plain
  let from = ''
  let parameters = ''
  let to: string[] = []
  let isData = false
  let isTls = false
  let isStalled = false
  let buffered = Buffer.alloc(0)

  /** Returns whether the reply was positive. */
  const answer = (stage: PeerStage, argument: string, usual: string): boolean =>
    give(peer.behave(stage, argument, connection), usual)

  const give = (behaviour: PeerBehaviour, usual: string): boolean => {
    if (behaviour === 'cut') socket.destroy()
    else if (behaviour === 'stall') isStalled = true
    else if (behaviour === 'drip') drip()
    else if (typeof behaviour === 'object') {
      isStalled = true
      void behaviour.after.then(() => {
        isStalled = false
        socket.write(`${usual}\r\n`)
        readOn()
      })
      return true
    } else socket.write(`${behaviour ?? usual}\r\n`)
    return behaviour === undefined || /^[23]/.test(behaviour)
  }

  const drip = () => {
    isStalled = true
    const timer = setInterval(() => socket.write('250-and\r\n'), DRIP_MS)
    plain.on('close', () => clearInterval(timer))
  }

  const command = (line: string) => {
    const path = /^(?:MAIL FROM|RCPT TO):<([^>]*)>\s*(.*)$/i.exec(line)
    const verb = line.split(/[ :]/)[0]?.toUpperCase()
    if (verb === 'EHLO' || verb === 'HELO') {
      const extensions = [...(options.extensions ?? []), '8BITMIME', 'SIZE 30000000']
      if (options.tls && !isTls) extensions.push('STARTTLS')
      const lines = ['peer', ...extensions]
      const text = lines.map((l, n) => `250${n === lines.length - 1 ? ' ' : '-'}${l}`).join('\r\n')
      answer('ehlo', '', text)
    } else if (verb === 'STARTTLS') {
      if (answer('starttls', '', '220 go on')) startTls()
    } else if (verb === 'MAIL') {
      if (answer('mail', path?.[1] ?? '', '250 2.1.0 ok')) {
        from = path?.[1] ?? ''
        parameters = path?.[2] ?? ''
        to = []
      }
    } else if (verb === 'RCPT') {
      if (answer('rcpt', path?.[1] ?? '', '250 2.1.5 ok')) to.push(path?.[1] ?? '')
    } else if (verb === 'DATA') {
      if (to.length === 0) socket.write('503 5.5.1 no recipient\r\n')
      else isData = answer('data', '', '354 go on')
    } else if (verb === 'AUTH') answer('auth', line.slice('AUTH '.length), '235 2.7.0 welcome')
    else if (verb === 'RSET') answer('rset', '', '250 2.0.0 ok')
    else if (verb === 'QUIT') socket.end('221 2.0.0 bye\r\n')
    else socket.write('250 2.0.0 ok\r\n')
  }

  const startTls = () => {
    if (options.tls === 'broken' || !options.tls) {
      socket.end('this is no TLS\r\n')
      return
    }
    plain.removeAllListeners('data')
    socket = new TLSSocket(plain, { isServer: true, ...options.tls })
    isTls = true
    listen()
  }

  const data = () => {
    const behaviour = peer.behave('content', '', connection)
    if (behaviour === 'cut') return socket.destroy()
    if (behaviour === 'stall' || behaviour === 'drip') isStalled = true
    const end = buffered.indexOf('\r\n.\r\n')
    if (end === -1 || isStalled) return
    const raw = buffered.toString('latin1', 0, end + 2).replace(/(^|\r\n)\.\./g, '$1.')
    buffered = buffered.subarray(end + 5)
    isData = false
    const message = { from, to, raw: Buffer.from(raw, 'latin1'), isTls, parameters }
    const last = peer.behave('dot', '', connection)
    // Cut after the final dot: the mail was accepted, but the sender cannot know.
    if (give(last, '250 2.0.0 taken') || last === 'cut') take(message)
  }

  const readOn = () => {
    while (buffered.length > 0 && !isStalled && !socket.destroyed) {
      if (isData) {
        const before = buffered.length
        data()
        if (isData || buffered.length === before) return
      } else {
        const end = buffered.indexOf('\n')
        if (end === -1) return
        const line = buffered.toString('utf8', 0, end).trimEnd()
        buffered = buffered.subarray(end + 1)
        command(line)
      }
    }
  }

  const listen = () => {
    socket.on('error', () => {})
    socket.on('data', (chunk: Buffer) => {
      buffered = Buffer.concat([buffered, chunk])
      readOn()
    })
  }
  listen()
  answer('connect', '', '220 peer ESMTP')
}
