/** The settings of this installation. The only reader of process.env (through `readConfig`). */
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { isLoopback } from './lib/network-guard.ts'
import { anyAddress } from './lib/ports/any-address.ts'
import { mayOpenLowPorts } from './lib/ports/low-ports.ts'
import { badSetting, type Environment, readSettings } from './settings/read-settings.ts'
import type { ProcessRole, Values } from './settings/settings.ts'

export type { ProcessRole } from './settings/settings.ts'

export type StripeSettings = { secretKey: string; webhookSecret: string; api: string }

export type Config = {
  port: number
  host: string
  mailListen: string
  /** Where pages are served over TLS, and where ACME is answered and browsers are sent on; null: nowhere. */
  httpsPort: number | null
  httpPort: number | null
  /** The address of those two. */
  webListen: string
  /** Where certificates come from; null: none are asked for. `caFile`: a root besides the system's. */
  acme: { directoryUrl: string; email: string | null; caFile: string | null } | null
  /** Without a trailing slash; used in every mailed link. */
  publicUrl: string
  /** PUBLIC_URL is a loopback address: /dev/outbox is available, and cookies need no Secure. */
  isLocal: boolean
  dataDir: string
  /** null: our own PostgreSQL in dataDir. */
  databaseUrl: string | null
  /** A pooler in front of it; null: none. */
  databasePoolUrl: string | null
  /** At most, for the queries of this process. */
  databaseConnections: number
  /** Where blobs are kept, and where they were before a move; null: as files in dataDir, and no move. */
  blobs: { url: string | null; from: string | null; cacheBytes: number }
  /** null: made at first start, in dataDir. */
  secret: string | null
  /** `ip:port`; empty: the system's resolvers. */
  dnsServers: string[]
  dnsPort: number
  /** The name in EHLO and the target of the MX records. */
  mailHost: string
  /** The addresses that send mail; empty: looked up from MAIL_HOST. */
  mailIps: string[]
  spfInclude: string | null
  /** Receives mail to postmaster@ and abuse@ of MAIL_HOST; null: the first account. */
  operatorMail: string | null
  smtpPort: number
  /** Of mail programs: with STARTTLS, and over TLS. */
  submissionPort: number
  submissionsPort: number
  imapPort: number
  imapsPort: number
  /** Defers mail from unknown senders, who have to try again. */
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
  billing: Values['BILLING']
  /** Who collects the invoices; null unless `billing` is stripe. `api`: an origin. */
  stripe: StripeSettings | null
  /** Of a mailbox and calendar month, with tax. */
  mailboxPriceCents: number
  currency: Values['CURRENCY']
  /** The rate in hundredths of a percent. */
  tax: { name: string; rate: number }
  /** Texts of one or several lines; '' where nothing is set. */
  seller: { name: string; address: string; vatId: string; email: string; paymentDetails: string }
  invoiceDueDays: number
  domainMailboxLimit: number
  storageQuotaBytes: number
  /** Recipients outside its workspace that a mailbox may write to in 24 hours; 0: no limit. */
  sendLimit: number
  /** New recipients among them; 0: no limit. */
  newRecipientLimit: number
  /** Seconds for which sending in the browser can be undone; 0: not at all. */
  undoSeconds: number
  /** Where a backup goes each day, when (UTC, '03:00'), and its key; null: none, and the one in DATA_DIR. */
  backup: { place: string | null; at: string; key: Buffer | null }
  /** Addresses of accounts, in lower case. */
  operators: readonly string[]
  signUp: 'open' | 'invite' | 'closed'
  /** null: only our own page /terms. */
  termsUrl: string | null
  /** null: only our own page /privacy. */
  privacyUrl: string | null
  operatorName: string | null
  /** An e-mail address, or a web address. */
  operatorContact: string
  trustedProxies: string[]
  /** Balancers that send the header of the PROXY protocol. */
  proxyProtocol: string[]
  allowLoopbackPeers: boolean
  /** Another address that serves /healthz; null: none. */
  metricsListen: { host: string; port: number } | null
  /** Gets a POST of JSON for each alert; null: none. */
  alertUrl: string | null
  /** Takes a mail for each alert; null: none. */
  alertRelay: { url: string; from: string; to: readonly string[] } | null
  /** The user that the program becomes when root started it; null: the database's owner, otherwise mailstead or nobody. */
  runAs: string | null
  roles: readonly ProcessRole[]
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
}

/** @throws StartError, one line with the setting, its value and the allowed values. */
export const readConfig = (
  environment: Environment = process.env,
  folder: string = process.cwd(),
): Config => {
  const values = readSettings(environment, folder)
  const port = values.PORT ?? 8080
  const publicUrl = values.PUBLIC_URL ?? `http://localhost:${port}`
  const isLocal = isLoopback(new URL(publicUrl).hostname)
  const mailHost = values.MAIL_HOST ?? nameOf(publicUrl)
  return {
    port,
    host: values.HOST ?? '127.0.0.1',
    ...portsOf(values),
    acme: acmeOf(values, folder),
    publicUrl,
    isLocal,
    dataDir: resolve(folder, values.DATA_DIR ?? defaultDataDir()),
    ...databaseOf(values),
    blobs: { url: values.BLOB_URL, from: values.BLOB_FROM, cacheBytes: values.BLOB_CACHE },
    secret: values.SECRET,
    ...dnsOf(values),
    ...mailOf(values, folder),
    mailHost,
    systemFrom: values.SYSTEM_FROM ?? `no-reply@${mailHost}`,
    systemMail: values.SYSTEM_MAIL ?? (isLocal && !values.RELAY_URL ? 'outbox' : 'send'),
    google: googleOf(values),
    billing: values.BILLING,
    stripe: stripeOf(values),
    ...moneyOf(values, new URL(publicUrl).hostname),
    domainMailboxLimit: values.DOMAIN_MAILBOX_LIMIT,
    storageQuotaBytes: values.STORAGE_QUOTA,
    sendLimit: values.SEND_LIMIT,
    newRecipientLimit: values.NEW_RECIPIENT_LIMIT,
    undoSeconds: values.UNDO_SECONDS,
    signUp: values.SIGNUP,
    backup: { place: values.BACKUP_URL, at: values.BACKUP_AT, key: values.BACKUP_KEY },
    operators: (values.OPERATORS ?? []).map((address) => address.toLowerCase()),
    ...operatorOf(values, mailHost),
    trustedProxies: values.TRUSTED_PROXIES ?? [],
    proxyProtocol: values.PROXY_PROTOCOL ?? [],
    allowLoopbackPeers: values.ALLOW_LOOPBACK_PEERS,
    metricsListen: values.METRICS_LISTEN,
    ...alertsOf(values, mailHost),
    runAs: values.RUN_AS,
    roles: values.ROLES,
    logLevel: values.LOG_LEVEL,
  }
}

const alertsOf = (values: Values, mailHost: string) => {
  const from = values.SYSTEM_FROM ?? `no-reply@${mailHost}`
  const relay = values.ALERT_RELAY_URL
  return {
    alertUrl: values.ALERT_URL,
    alertRelay: relay && { ...relay, from: relay.from ?? from },
  }
}

const operatorOf = (values: Values, mailHost: string) => ({
  termsUrl: values.TERMS_URL,
  privacyUrl: values.PRIVACY_URL,
  operatorName: values.OPERATOR_NAME,
  operatorContact: values.OPERATOR_CONTACT ?? `postmaster@${mailHost}`,
})

/** MAIL_HOST must be a name: a PUBLIC_URL with an IP address has none. */
const nameOf = (publicUrl: string): string => {
  const { hostname } = new URL(publicUrl)
  return isIP(hostname.replace(/^\[|\]$/g, '')) ? 'localhost' : hostname
}

const defaultDataDir = (): string => (process.getuid?.() === 0 ? '/var/lib/mailstead' : 'data')

/**
 * A machine that serves nothing else: then PUBLIC_URL is all that is needed. Whoever names a port, an address or a proxy has other
 * plans.
 */
const isAlone = ({ PUBLIC_URL, PORT, HOST, TRUSTED_PROXIES }: Values): boolean =>
  mayOpenLowPorts() &&
  [PORT, HOST, TRUSTED_PROXIES].every((value) => value === null) &&
  PUBLIC_URL !== null &&
  new URL(PUBLIC_URL).port === '' &&
  isPublicName(PUBLIC_URL)

/** Of an address with https, for which a directory issues certificates. */
const isPublicName = (publicUrl: string): boolean => {
  const { protocol, hostname } = new URL(publicUrl)
  return protocol === 'https:' && hostname.includes('.') && nameOf(publicUrl) === hostname
}

const portsOf = (values: Values) => {
  const alone = isAlone(values)
  const everywhere = values.HOST ?? anyAddress()
  return {
    httpsPort: values.HTTPS_PORT ?? (alone ? 443 : null),
    httpPort: values.HTTP_PORT ?? (alone ? 80 : null),
    webListen: everywhere,
    mailListen: values.MAIL_LISTEN ?? (alone ? everywhere : (values.HOST ?? '127.0.0.1')),
    smtpPort: values.SMTP_PORT ?? (alone ? 25 : 2525),
    submissionPort: values.SUBMISSION_PORT ?? (alone ? 587 : 2587),
    submissionsPort: values.SUBMISSIONS_PORT ?? (alone ? 465 : 2465),
    imapPort: values.IMAP_PORT ?? (alone ? 143 : 2143),
    imapsPort: values.IMAPS_PORT ?? (alone ? 993 : 2993),
  }
}

const acmeOf = (values: Values, folder: string): Config['acme'] => {
  const { PUBLIC_URL, ACME, ACME_DIRECTORY, ACME_EMAIL, ACME_CA } = values
  const isPossible = PUBLIC_URL !== null && isPublicName(PUBLIC_URL)
  if (ACME === true && !isPossible)
    throw badSetting(
      'ACME',
      'on',
      'off unless PUBLIC_URL is an address such as https://mail.example.com',
    )
  const isOn = ACME ?? (portsOf(values).httpsPort !== null && isPossible)
  if (!isOn) return null
  const caFile = ACME_CA && resolve(folder, ACME_CA)
  return { directoryUrl: ACME_DIRECTORY, email: ACME_EMAIL, caFile }
}

const databaseOf = (values: Values) => {
  if (values.DATABASE_POOL_URL && !values.DATABASE_URL)
    throw badSetting('DATABASE_URL', '', 'set together with DATABASE_POOL_URL')
  return {
    databaseUrl: values.DATABASE_URL,
    databasePoolUrl: values.DATABASE_POOL_URL,
    databaseConnections: values.DATABASE_CONNECTIONS,
  }
}

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
    greylist: values.GREYLIST,
    dnsbl: values.DNSBL ?? [],
    tlsCertFile: values.TLS_CERT && resolve(folder, values.TLS_CERT),
    tlsKeyFile: values.TLS_KEY && resolve(folder, values.TLS_KEY),
    relayUrl: values.RELAY_URL,
    mxPort: values.MX_PORT,
  }
}

const moneyOf = (values: Values, host: string) => ({
  mailboxPriceCents: values.MAILBOX_PRICE,
  currency: values.CURRENCY,
  tax: { name: values.TAX_NAME, rate: values.TAX_RATE },
  seller: {
    name: values.SELLER_NAME ?? host,
    address: values.SELLER_ADDRESS ?? '',
    vatId: values.SELLER_VAT_ID ?? '',
    email: values.SELLER_EMAIL ?? '',
    paymentDetails: values.PAYMENT_DETAILS ?? '',
  },
  invoiceDueDays: values.INVOICE_DUE_DAYS,
})

const stripeOf = (values: Values): Config['stripe'] => {
  if (values.BILLING !== 'stripe') return null
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = values
  if (secretKey === null)
    throw badSetting('STRIPE_SECRET_KEY', '', 'set together with BILLING=stripe')
  if (webhookSecret === null)
    throw badSetting('STRIPE_WEBHOOK_SECRET', '', 'set together with BILLING=stripe')
  return { secretKey, webhookSecret, api: values.STRIPE_API }
}

const googleOf = ({ GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET, GOOGLE_ISSUER }: Values) =>
  GOOGLE_CLIENT_ID === null
    ? null
    : { clientId: GOOGLE_CLIENT_ID, clientSecret: GOOGLE_CLIENT_SECRET, issuer: GOOGLE_ISSUER }
