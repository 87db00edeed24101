/** Every setting: its kind, its default, and what it does. */
import { currencies } from '#contract/money.ts'
import type { Kind } from './kinds.ts'
import * as kinds from './kinds.ts'

const allRoles = ['web', 'smtp', 'imap', 'worker'] as const
export type ProcessRole = (typeof allRoles)[number]

export type Setting<T, D extends T | null = T | null> = {
  kind: Kind<T>
  /** As displayed. */
  defaultText: string
  default: D
  does: string
  /** The part of its value that is never printed. */
  hides: 'nothing' | 'password' | 'all'
}

type Words = { does: string; hides?: 'password' | 'all' }

const fixed = <T>(kind: Kind<T>, defaultText: string, words: Words): Setting<T, T> => {
  const value = kind.parse(defaultText)
  if (value === undefined) throw new Error(`the default ${defaultText} is not allowed`)
  return { kind, default: value, defaultText, hides: 'nothing', ...words }
}

/** `defaultText`: what happens without a value. */
const optional = <T>(kind: Kind<T>, defaultText: string, words: Words): Setting<T> => ({
  kind,
  default: null,
  defaultText,
  hides: 'nothing',
  ...words,
})

/** Started as root with a public PUBLIC_URL, and without PORT, HOST and TRUSTED_PROXIES (`isAlone`). */
const ALONE = (value: string): string => `; on a machine of its own ${value}`

export const settings = {
  PORT: optional(kinds.port, '8080', { does: 'Port of the pages and the API, without TLS.' }),
  HOST: optional(kinds.host, '127.0.0.1', {
    does: 'Address of the pages and the API. HTTPS_PORT and HTTP_PORT are open on all addresses unless it is set.',
  }),
  HTTPS_PORT: optional(kinds.port, `off${ALONE('443')}`, {
    does: 'Port of the pages and the API over TLS, also with HTTP/2: then no proxy is needed.',
  }),
  HTTP_PORT: optional(kinds.port, `off${ALONE('80')}`, {
    does: 'Port that answers ACME, and sends browsers to https.',
  }),
  ACME: optional(kinds.onOrOff, 'on when HTTPS_PORT is set and PUBLIC_URL is https, else off', {
    does: 'Gets certificates for MAIL_HOST, PUBLIC_URL and the names of customers that lead here.',
  }),
  ACME_DIRECTORY: fixed(kinds.https, 'https://acme-v02.api.letsencrypt.org/directory', {
    does: 'Where the certificates come from. Its terms are agreed to by asking it.',
  }),
  ACME_EMAIL: optional(kinds.mailAddress, 'none', { does: 'Whom the directory may write to.' }),
  ACME_CA: optional(kinds.file, "the system's roots", {
    does: 'File of the root (PEM) that signs the directory itself, besides those.',
  }),
  MAIL_LISTEN: optional(kinds.host, `HOST${ALONE('all addresses')}`, {
    does: 'Address of the mail listeners.',
  }),
  PUBLIC_URL: optional(kinds.origin, 'http://localhost:PORT', {
    does: 'Where people reach Mailstead; used in every link that is mailed.',
  }),
  DATA_DIR: optional(kinds.folder, './data (as root: /var/lib/mailstead)', {
    does: 'Database, blobs and secret.',
  }),
  DATABASE_URL: optional(kinds.database, 'own PostgreSQL in DATA_DIR', {
    does: 'A PostgreSQL server to use instead.',
    hides: 'password',
  }),
  DATABASE_POOL_URL: optional(kinds.database, 'none', {
    does: 'A pooler in front of that server, such as PgBouncer in transaction mode, for all queries that need no session of their own.',
    hides: 'password',
  }),
  DATABASE_CONNECTIONS: fixed(kinds.wholeNumber(5, 500), '20', {
    does: 'How many connections this process may have for its queries; it takes a few more that are sessions.',
  }),
  BLOB_URL: optional(kinds.bucket, 'files in DATA_DIR', {
    does: 'A bucket that keeps messages and files instead: s3://KEY:SECRET@HOST:PORT/BUCKET?region=us-east-1.',
    hides: 'password',
  }),
  BLOB_FROM: optional(kinds.bucketOrFiles, 'none', {
    does: 'Where they were before, while they move: a bucket, or files.',
    hides: 'password',
  }),
  BLOB_CACHE: fixed(kinds.size, '1GB', {
    does: 'How much of a bucket is kept in DATA_DIR for reading, on each host.',
  }),
  SECRET: optional(kinds.secret, 'made at first start, in DATA_DIR', {
    does: 'Signs tokens and encrypts DKIM keys at rest. Processes that share a database share it.',
    hides: 'all',
  }),
  DNS_SERVERS: optional(kinds.listOf(kinds.nameServer), "the system's", {
    does: 'Resolvers that every look-up goes through.',
  }),
  DNS_PORT: fixed(kinds.wholeNumber(1, 65_535, 'a port number'), '53', {
    does: 'The port dialled at authoritative name servers.',
  }),
  MAIL_HOST: optional(kinds.hostName, 'the host of PUBLIC_URL', {
    does: 'The name that this mail server says; the MX records of the domains point at it.',
  }),
  MAIL_IPS: optional(kinds.listOf(kinds.ipAddress), 'looked up from MAIL_HOST', {
    does: 'Addresses that mail is sent from.',
  }),
  SPF_INCLUDE: optional(kinds.hostName, 'none', {
    does: "A name whose SPF record lists MAIL_IPS; the domains' SPF records include it.",
  }),
  BACKUP_URL: optional(kinds.backupPlace, 'none', {
    does: 'Where a backup goes each day: a folder of another disk, or s3://KEY:SECRET@HOST:PORT/BUCKET?region=us-east-1.',
    hides: 'password',
  }),
  BACKUP_AT: fixed(kinds.timeOfDay, '03:00', { does: 'When, in UTC.' }),
  BACKUP_KEY: optional(kinds.backupKey, 'made at the first backup, in DATA_DIR, and printed once', {
    does: 'Encrypts the backups. Keep it elsewhere, too: without it nobody can restore them.',
    hides: 'all',
  }),
  OPERATORS: optional(kinds.listOf(kinds.mailAddress), 'none', {
    does: 'Addresses of accounts that operate this installation, beside those made in the program.',
  }),
  OPERATOR_MAIL: optional(kinds.mailAddress, 'the first account', {
    does: 'Who gets mail to postmaster@ and abuse@ of MAIL_HOST.',
  }),
  SMTP_PORT: optional(kinds.port, `2525${ALONE('25')}`, { does: 'Port where mail comes in.' }),
  SUBMISSION_PORT: optional(kinds.port, `2587${ALONE('587')}`, {
    does: 'Port where mail programs send, with STARTTLS.',
  }),
  SUBMISSIONS_PORT: optional(kinds.port, `2465${ALONE('465')}`, {
    does: 'Port where mail programs send over TLS.',
  }),
  IMAP_PORT: optional(kinds.port, `2143${ALONE('143')}`, {
    does: 'Port where mail programs read, with STARTTLS.',
  }),
  IMAPS_PORT: optional(kinds.port, `2993${ALONE('993')}`, {
    does: 'Port where mail programs read over TLS.',
  }),
  GREYLIST: fixed(kinds.onOrOff, 'off', {
    does: 'Refuses mail of unknown senders for a minute, until they retry. Keeps junk away, and delays first mails.',
  }),
  DNSBL: optional(kinds.listOf(kinds.hostName), 'none', {
    does: 'DNS block lists: mail from an address on one of them is refused. Read their terms of use first.',
  }),
  TLS_CERT: optional(kinds.file, 'self-signed at first start', {
    does: 'File of the certificate (PEM) for mail; read again when it changes.',
  }),
  TLS_KEY: optional(kinds.file, 'self-signed at first start', {
    does: 'File of its key (PEM).',
  }),
  RELAY_URL: optional(kinds.relay, 'none: straight to the MX', {
    does: 'A server that takes all outgoing mail.',
    hides: 'password',
  }),
  MX_PORT: fixed(kinds.wholeNumber(1, 65_535, 'a port number'), '25', {
    does: 'The port dialled at a remote MX.',
  }),
  SYSTEM_FROM: optional(kinds.mailAddress, 'no-reply@MAIL_HOST', {
    does: 'Sender of verification and reset mails.',
  }),
  SYSTEM_MAIL: optional(
    kinds.oneOf('send', 'outbox'),
    'outbox while RELAY_URL is not set and PUBLIC_URL is a loopback address, else send',
    { does: 'Whether those mails are sent, or kept on the page /dev/outbox.' },
  ),
  GOOGLE_CLIENT_ID: optional(kinds.text, 'none', { does: 'Turns on sign-in with Google.' }),
  GOOGLE_CLIENT_SECRET: optional(kinds.text, 'none', { does: 'Goes with it.', hides: 'all' }),
  GOOGLE_ISSUER: fixed(kinds.issuer, 'https://accounts.google.com', {
    does: "An OpenID provider in Google's place.",
  }),
  BILLING: fixed(kinds.oneOf('off', 'invoice', 'stripe'), 'invoice', {
    does: 'off: mailboxes cost nothing, and no prices are shown. stripe: Stripe collects the invoices by card.',
  }),
  STRIPE_SECRET_KEY: optional(kinds.stripeKey, 'none', {
    does: 'The secret or restricted key of the Stripe account, for BILLING=stripe.',
    hides: 'all',
  }),
  STRIPE_WEBHOOK_SECRET: optional(kinds.stripeWebhookSecret, 'none', {
    does: "Signs Stripe's events, which come to PUBLIC_URL/api/v1/stripe/events.",
    hides: 'all',
  }),
  STRIPE_API: fixed(kinds.origin, 'https://api.stripe.com', {
    does: "A program in the place of Stripe's API; for tests.",
  }),
  MAILBOX_PRICE: fixed(kinds.wholeNumber(1, 1_000_000), '200', {
    does: 'What a mailbox costs in a calendar month, in cents and with tax.',
  }),
  CURRENCY: fixed(kinds.oneOf(...currencies), 'usd', { does: 'The currency of the price.' }),
  TAX_RATE: fixed(kinds.percent, '0', { does: 'The tax that the price contains, in percent.' }),
  TAX_NAME: fixed(kinds.lines, 'VAT', { does: 'What invoices call it.' }),
  SELLER_NAME: optional(kinds.lines, 'the host of PUBLIC_URL', {
    does: 'Who sells the mailboxes; on invoices, and where people pay.',
  }),
  SELLER_ADDRESS: optional(kinds.lines, 'none', {
    does: 'Its address on invoices; lines are separated by semicolons.',
  }),
  SELLER_VAT_ID: optional(kinds.lines, 'none', { does: 'Its tax number on invoices.' }),
  SELLER_EMAIL: optional(kinds.mailAddress, 'none', { does: 'Whom to ask about an invoice.' }),
  PAYMENT_DETAILS: optional(kinds.lines, 'none', {
    does: 'How to pay an invoice, such as a bank account; lines are separated by semicolons.',
  }),
  INVOICE_DUE_DAYS: fixed(kinds.wholeNumber(0, 365), '14', {
    does: 'Days until an invoice is to be paid. Three weeks later its mailboxes are suspended.',
  }),
  STORAGE_QUOTA: fixed(kinds.size, '75GB', {
    does: 'What the mailboxes of a new workspace may hold together, unless the operator chose otherwise.',
  }),
  DOMAIN_MAILBOX_LIMIT: fixed(kinds.wholeNumber(1, 100_000), '500', {
    does: 'Mailboxes that one domain may have, unless the operator chose otherwise for all or for the domain.',
  }),
  SEND_LIMIT: fixed(kinds.wholeNumber(0, 1_000_000), '500', {
    does: 'Recipients outside its workspace that a mailbox may write to in 24 hours; 0: no limit.',
  }),
  NEW_RECIPIENT_LIMIT: fixed(kinds.wholeNumber(0, 1_000_000), '100', {
    does: 'How many of them it may write to for the first time; 0: no limit. Both begin lower in a new workspace.',
  }),
  UNDO_SECONDS: fixed(kinds.wholeNumber(0, 60), '10', {
    does: 'How long a message written in the browser waits, so that it can be taken back; 0: it goes at once.',
  }),
  SIGNUP: fixed(kinds.oneOf('open', 'invite', 'closed'), 'open', {
    does: 'Who may sign up, unless the operator chose otherwise on the page Settings.',
  }),
  TERMS_URL: optional(kinds.webAddress, 'a page of our own, /terms', {
    does: 'The terms and conditions that people agree to when they sign up.',
  }),
  PRIVACY_URL: optional(kinds.webAddress, 'a page of our own, /privacy', {
    does: 'What is kept of people, and who reads it.',
  }),
  OPERATOR_NAME: optional(kinds.text, 'none', {
    does: 'Who operates this installation; named on the page /privacy.',
  }),
  OPERATOR_CONTACT: optional(kinds.contact, 'postmaster@MAIL_HOST', {
    does: 'Where people reach the operator: on the page /privacy and in /.well-known/security.txt.',
  }),
  TRUSTED_PROXIES: optional(kinds.listOf(kinds.proxy), 'none', {
    does: 'Proxies whose X-Forwarded-For is believed.',
  }),
  PROXY_PROTOCOL: optional(kinds.listOf(kinds.proxy), 'none', {
    does: 'Balancers of TCP that begin each connection to the ports of mail and to HTTPS_PORT with the PROXY protocol.',
  }),
  ALLOW_LOOPBACK_PEERS: fixed(kinds.onOrOff, 'off', {
    does: 'Lets mail go to private addresses; for tests.',
  }),
  METRICS_LISTEN: optional(kinds.listenAddress, 'none', {
    does: 'Where /metrics and /healthz are served, in a process of any role.',
  }),
  ALERT_URL: optional(kinds.alertUrl, 'none', {
    does: 'Where alerts for the operator are posted as JSON.',
    hides: 'all',
  }),
  ALERT_RELAY_URL: optional(kinds.alertRelay, 'none', {
    does: 'A server of others that mails alerts to the operator: our own queue may be the trouble.',
    hides: 'password',
  }),
  RUN_AS: optional(kinds.userName, 'mailstead, else nobody', {
    does: 'Started by root, Mailstead opens its ports and then becomes this user of the system; root: it stays root.',
  }),
  ROLES: fixed(rolesKind(), 'all', {
    does: `What this process does: ${allRoles.join(', ')}.`,
  }),
  LOG_LEVEL: fixed(
    kinds.oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'info',
    { does: 'How much is logged.' },
  ),
} satisfies Record<string, Setting<unknown>>

export type SettingName = keyof typeof settings

export type Values = { [N in SettingName]: ValueOf<(typeof settings)[N]> }
type ValueOf<S> = S extends Setting<infer T, infer D> ? (null extends D ? T | null : T) : never

function rolesKind(): Kind<readonly ProcessRole[]> {
  const several = kinds.listOf(kinds.oneOf(...allRoles))
  return {
    allowed: `all, or some of ${allRoles.join(', ')}`,
    parse: (input) =>
      input.toLowerCase() === 'all'
        ? allRoles
        : several.parse(input) && [...new Set(several.parse(input))],
  }
}
