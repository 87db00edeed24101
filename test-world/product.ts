/** The whole product with its environment: a DNS server whose zones change at run time, and another mail server. For stories. */
import { rmSync } from 'node:fs'
import PostalMime, { type Email } from 'postal-mime'
import { aDnsServer, type TestDns } from './dns/dns-server.ts'
import { aDataDir } from './postgres/data-dir.ts'
import { killPostgres } from './postgres/kill-postgres.ts'
import { type Program, startProgram } from './program.ts'
import { aSmtpPeer, type PeerMessage, type SmtpPeer } from './smtp/smtp-peer.ts'

export const MAIL_HOST = 'mail.mailstead.example'
/** The domain of all outside addresses. */
export const ELSEWHERE = 'elsewhere.example'

/** For tests that send more than a new workspace may. */
export const NO_BRAKES = { SEND_LIMIT: '0', NEW_RECIPIENT_LIMIT: '0' }

export type Product = {
  url: string
  smtpPort: number
  /** Where mail programs send: with STARTTLS, and over TLS. */
  submissionPort: number
  submissionsPort: number
  /** Of IMAP over TLS. */
  imapsPort: number
  pid: number
  dataDir: string
  dns: TestDns
  peer: SmtpPeer
  /** Waits until the peer has `count` mails for the address; returns the last of them, parsed. */
  mailTo(address: string, count?: number): Promise<{ message: PeerMessage; email: Email }>
  /** Like `logs` of the running `Program`. */
  logs: Program['logs']
  /** Kills the program like a power cut, and starts it again. */
  restart(): Promise<void>
  /** Kills the program and its PostgreSQL at the same moment; `start` starts them again. */
  kill(): Promise<void>
  start(): Promise<void>
  /** Starts it without waiting until it is ready: to be killed in its start. */
  begin(more?: Settings): Program
  close(): Promise<void>
}

export type Settings = Record<string, string>

/** What is around a product, and its settings. */
export type Surroundings = Pick<Product, 'dataDir' | 'dns' | 'peer'> & { settings: Settings }

/** `prepare` makes settings that depend on the world, before the product starts. With DNS_PORT, our DNS server takes that port. */
export const theSurroundings = async (
  given: Settings = {},
  prepare: (dns: TestDns) => Promise<Settings> = async () => ({}),
): Promise<Surroundings> => {
  const dataDir = given.DATA_DIR ?? aDataDir()
  const dns = await aDnsServer({ port: Number(given.DNS_PORT ?? 0) })
  const peer = await aSmtpPeer()
  dns.zone(ELSEWHERE)
  dns.set(ELSEWHERE, 'MX', [`10 mx.${ELSEWHERE}`])
  dns.set(`mx.${ELSEWHERE}`, 'A', ['127.0.0.1'])
  dns.zone('mailstead.example')
  dns.set(MAIL_HOST, 'A', ['127.0.0.1'])
  const settings = {
    DATA_DIR: dataDir,
    DNS_SERVERS: dns.address,
    MX_PORT: String(peer.port),
    MAIL_HOST,
    MAIL_IPS: '192.0.2.25',
    SYSTEM_MAIL: 'send',
    // Only the story of undo waits.
    UNDO_SECONDS: '0',
    ALLOW_LOOPBACK_PEERS: 'on',
    LOG_LEVEL: 'warn',
    ...given,
    DNS_PORT: String(dns.port),
    ...(await prepare(dns)),
  }
  return { dataDir, dns, peer, settings }
}

export const aProduct = async (...given: Parameters<typeof theSurroundings>): Promise<Product> => {
  const { dataDir, dns, peer, settings: all } = await theSurroundings(...given)
  const start = () => runningOf(startProgram(all))
  let running = await start()
  return {
    get url() {
      return running.url
    },
    get smtpPort() {
      return running.smtpPort
    },
    get submissionPort() {
      return running.submissionPort
    },
    get submissionsPort() {
      return running.submissionsPort
    },
    get imapsPort() {
      return running.imapsPort
    },
    get pid() {
      return running.program.pid
    },
    dataDir,
    dns,
    peer,
    mailTo: mailsAt(peer),
    logs: (pattern) => running.program.logs(pattern),
    restart: async () => {
      running.program.signal('SIGKILL')
      await running.program.ended
      running = await start()
    },
    kill: async () => {
      // Nothing runs on long enough to answer a client.
      running.program.signal('SIGKILL')
      killPostgres(dataDir)
      await running.program.ended
    },
    start: async () => {
      running = await start()
    },
    begin: (more = {}) => startProgram({ ...all, ...more }),
    close: async () => {
      running.program.signal('SIGTERM')
      const { code, stderr } = await running.program.ended
      await Promise.all([dns.close(), peer.close()])
      rmSync(dataDir, { recursive: true, force: true })
      if (code !== 0) throw new Error(`the product ended with ${code}: ${stderr}`)
    },
  }
}

export const mailsAt =
  (peer: SmtpPeer): Product['mailTo'] =>
  async (address, count = 1) => {
    const isTo = ({ to }: PeerMessage) => to.includes(address)
    for (let seen = 0; peer.messages.filter(isTo).length < count; ) {
      seen = (await peer.arrived(seen + 1)).length
    }
    const message = peer.messages.filter(isTo).at(count - 1)
    if (!message) throw new Error(`no mail came for ${address}`)
    return { message, email: await PostalMime.parse(message.raw) }
  }

export type Running = { program: Program; url: string } & Pick<
  Product,
  'smtpPort' | 'submissionPort' | 'submissionsPort' | 'imapsPort'
>

export const runningOf = async (program: Program): Promise<Running> => {
  const [, ready = ''] = await program.says(/ready: (http\S+)/)
  // A public address leads nowhere here.
  const isPublic = ready.startsWith('https:')
  const [, url = ready] = isPublic ? await program.says(/API listen at (http\S+)/) : []
  const [, smtpPort] = await program.says(/accepted at \S*:(\d+)/)
  const [, submissionsPort, submissionPort] = await program.says(
    /programs send at \S*:(\d+) \(TLS\) and \S*:(\d+) /,
  )
  const [, imapsPort] = await program.says(/programs read at \S*:(\d+) /)
  return {
    ...{ program, url, smtpPort: Number(smtpPort), imapsPort: Number(imapsPort) },
    ...{ submissionPort: Number(submissionPort), submissionsPort: Number(submissionsPort) },
  }
}
