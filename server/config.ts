/** The settings of this installation. The only reader of process.env (through `readConfig`). */
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { isLoopback } from './lib/network-guard.ts'
import { badSetting, type Environment, readSettings } from './settings/read-settings.ts'
import type { ProcessRole, Values } from './settings/settings.ts'

export type { ProcessRole } from './settings/settings.ts'

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
  /** Gets the mail of postmaster@ and abuse@ MAIL_HOST; null: the first account. */
  operatorMail: string | null
  smtpPort: number
  /** Senders that are not known here have to come again. */
  greylist: boolean
  /** Zones of DNS block lists. */
  dnsbl: string[]
  tlsCertFile: string | null
  tlsKeyFile: string | null
  relayUrl: string | null
  mxPort: number
  systemFrom: string
  systemMail: 'send' | 'outbox'
  google: { clientId: string; clientSecret: string | null; issuer: string } | null
  billing: 'off' | 'invoice'
  domainMailboxLimit: number
  /** Recipients outside its workspace that a mailbox may write to in 24 hours; 0: no limit. */
  sendLimit: number
  /** Those of them that it has never written to before; 0: no limit. */
  newRecipientLimit: number
  /** How long what is written in the browser waits and can be taken back; 0: not at all. */
  undoSeconds: number
  signUp: 'open' | 'invite' | 'closed'
  /** null: the page /terms is all there is. */
  termsUrl: string | null
  trustedProxies: string[]
  allowLoopbackPeers: boolean
  /** Where /healthz is served besides. */
  metricsListen: { host: string; port: number } | null
  /** Whom the program becomes when root started it; null: whoever suits. */
  runAs: string | null
  roles: readonly ProcessRole[]
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
}

/** @throws StartError, one line that names the setting, its value and what is allowed. */
export const readConfig = (
  environment: Environment = process.env,
  folder: string = process.cwd(),
): Config => {
  const values = readSettings(environment, folder)
  const publicUrl = values.PUBLIC_URL ?? `http://localhost:${values.PORT}`
  const isLocal = isLoopback(new URL(publicUrl).hostname)
  const mailHost = values.MAIL_HOST ?? nameOf(publicUrl)
  return {
    port: values.PORT,
    host: values.HOST,
    mailListen: values.MAIL_LISTEN ?? values.HOST,
    publicUrl,
    isLocal,
    dataDir: resolve(folder, values.DATA_DIR ?? defaultDataDir()),
    databaseUrl: values.DATABASE_URL,
    secret: values.SECRET,
    ...dnsOf(values),
    ...mailOf(values, folder),
    mailHost,
    systemFrom: values.SYSTEM_FROM ?? `no-reply@${mailHost}`,
    systemMail: values.SYSTEM_MAIL ?? (isLocal && !values.RELAY_URL ? 'outbox' : 'send'),
    google: googleOf(values),
    billing: values.BILLING,
    domainMailboxLimit: values.DOMAIN_MAILBOX_LIMIT,
    sendLimit: values.SEND_LIMIT,
    newRecipientLimit: values.NEW_RECIPIENT_LIMIT,
    undoSeconds: values.UNDO_SECONDS,
    signUp: values.SIGNUP,
    termsUrl: values.TERMS_URL,
    trustedProxies: values.TRUSTED_PROXIES ?? [],
    allowLoopbackPeers: values.ALLOW_LOOPBACK_PEERS,
    metricsListen: values.METRICS_LISTEN,
    runAs: values.RUN_AS,
    roles: values.ROLES,
    logLevel: values.LOG_LEVEL,
  }
}

/** Mail needs a name: an address in PUBLIC_URL is none. */
const nameOf = (publicUrl: string): string => {
  const { hostname } = new URL(publicUrl)
  return isIP(hostname.replace(/^\[|\]$/g, '')) ? 'localhost' : hostname
}

const defaultDataDir = (): string => (process.getuid?.() === 0 ? '/var/lib/mailstead' : 'data')

const dnsOf = (values: Values) => ({
  dnsServers: values.DNS_SERVERS ?? [],
  dnsPort: values.DNS_PORT,
})

const mailOf = (values: Values, folder: string) => {
  if (values.TLS_CERT && !values.TLS_KEY)
    throw badSetting('TLS_KEY', '', 'set together with TLS_CERT')
  if (values.TLS_KEY && !values.TLS_CERT)
    throw badSetting('TLS_CERT', '', 'set together with TLS_KEY')
  return {
    mailIps: values.MAIL_IPS ?? [],
    spfInclude: values.SPF_INCLUDE,
    operatorMail: values.OPERATOR_MAIL,
    smtpPort: values.SMTP_PORT,
    greylist: values.GREYLIST,
    dnsbl: values.DNSBL ?? [],
    tlsCertFile: values.TLS_CERT && resolve(folder, values.TLS_CERT),
    tlsKeyFile: values.TLS_KEY && resolve(folder, values.TLS_KEY),
    relayUrl: values.RELAY_URL,
    mxPort: values.MX_PORT,
  }
}

const googleOf = ({ GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET, GOOGLE_ISSUER }: Values) =>
  GOOGLE_CLIENT_ID === null
    ? null
    : { clientId: GOOGLE_CLIENT_ID, clientSecret: GOOGLE_CLIENT_SECRET, issuer: GOOGLE_ISSUER }
