/** The settings of this installation. The only reader of process.env (through `readConfig`). */

export const roles = ['web', 'smtp', 'submission', 'imap', 'worker'] as const
export type ProcessRole = (typeof roles)[number]

export type Config = {
  port: number
  host: string
  mailListen: string
  /** No trailing slash; used in every link that is mailed. */
  publicUrl: string
  /** PUBLIC_URL is a loopback address: /dev/outbox exists, cookies need no Secure. */
  isLocal: boolean
  dataDir: string
  /** null: our own PostgreSQL in dataDir. */
  databaseUrl: string | null
  /** null: made at first start, in dataDir. */
  secret: string | null
  /** `ip:port`; empty: the system's. */
  dnsServers: string[]
  dnsPort: number
  /** EHLO name, MX target. */
  mailHost: string
  /** Addresses that send; empty: looked up from MAIL_HOST. */
  mailIps: string[]
  spfInclude: string | null
  smtpPort: number
  tlsCertFile: string | null
  tlsKeyFile: string | null
  relayUrl: string | null
  mxPort: number
  systemFrom: string
  systemMail: 'send' | 'outbox'
  google: { clientId: string; clientSecret: string | null; issuer: string } | null
  billing: 'off' | 'invoice'
  domainMailboxLimit: number
  signUp: 'open' | 'invite' | 'closed'
  trustedProxies: string[]
  allowLoopbackPeers: boolean
  roles: readonly ProcessRole[]
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
}
