import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { mayOpenLowPorts } from './lib/ports/low-ports.ts'
import { helpText } from './settings/help.ts'
import { settings } from './settings/settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'mailstead-test-config-'))
afterAll(() => rmSync(folder, { recursive: true }))

const config = (environment: Record<string, string> = {}) => readConfig(environment, folder)

describe('defaults', () => {
  test('are those of the design', () => {
    expect(config({ DATA_DIR: '/x' })).toMatchObject({
      port: 8080,
      host: '127.0.0.1',
      mailListen: '127.0.0.1',
      publicUrl: 'http://localhost:8080',
      isLocal: true,
      dataDir: '/x',
      databaseUrl: null,
      mailHost: 'localhost',
      ...{ smtpPort: 2525, submissionPort: 2587, submissionsPort: 2465 },
      ...{ imapPort: 2143, imapsPort: 2993 },
      mxPort: 25,
      dnsPort: 53,
      systemFrom: 'no-reply@localhost',
      systemMail: 'outbox',
      google: null,
      billing: 'invoice',
      ...{ mailboxPriceCents: 200, currency: 'usd', invoiceDueDays: 14 },
      tax: { name: 'VAT', rate: 0 },
      seller: { name: 'localhost', address: '', vatId: '', email: '', paymentDetails: '' },
      domainMailboxLimit: 500,
      sendLimit: 500,
      newRecipientLimit: 100,
      undoSeconds: 10,
      signUp: 'open',
      termsUrl: null,
      privacyUrl: null,
      operatorName: null,
      operatorContact: 'postmaster@localhost',
      allowLoopbackPeers: false,
      roles: ['web', 'smtp', 'imap', 'worker'],
      logLevel: 'info',
    })
  })

  test('DATA_DIR depends on who starts it', () => {
    const expected = process.getuid?.() === 0 ? '/var/lib/mailstead' : join(folder, 'data')
    expect(config().dataDir).toBe(expected)
    expect(config({ DATA_DIR: 'here' }).dataDir).toBe(join(folder, 'here'))
  })

  test('an empty variable counts as not set', () => {
    expect(config({ PORT: '', MAIL_HOST: ' ' })).toMatchObject({
      port: 8080,
      mailHost: 'localhost',
    })
  })

  test('follow other settings', () => {
    expect(config({ HOST: '0.0.0.0' }).mailListen).toBe('0.0.0.0')
    expect(config({ PORT: '9000' }).publicUrl).toBe('http://localhost:9000')
    expect(config({ PUBLIC_URL: 'https://mail.example.com/' })).toMatchObject({
      publicUrl: 'https://mail.example.com',
      isLocal: false,
      mailHost: 'mail.example.com',
      systemFrom: 'no-reply@mail.example.com',
      systemMail: 'send',
    })
    expect(config({ PUBLIC_URL: 'http://192.0.2.7:8080' }).mailHost).toBe('localhost')
  })

  test.each([
    [{}, 'outbox'],
    [{ PUBLIC_URL: 'http://127.0.0.1:9000' }, 'outbox'],
    [{ PUBLIC_URL: 'http://[::1]:9000' }, 'outbox'],
    [{ PUBLIC_URL: 'http://127.0.0.1.example.com' }, 'send'],
    [{ RELAY_URL: 'smtp://relay.example.com' }, 'send'],
    [{ RELAY_URL: 'smtp://relay.example.com', SYSTEM_MAIL: 'outbox' }, 'outbox'],
    [{ PUBLIC_URL: 'https://mail.example.com', SYSTEM_MAIL: 'outbox' }, 'outbox'],
    [{ SYSTEM_MAIL: 'send' }, 'send'],
  ])('SYSTEM_MAIL with %o is %s', (environment, systemMail) => {
    expect(config(environment).systemMail).toBe(systemMail)
  })
})

describe('values', () => {
  test.each([
    ['ALLOW_LOOPBACK_PEERS', 'on', { allowLoopbackPeers: true }],
    ['ALLOW_LOOPBACK_PEERS', 'TRUE', { allowLoopbackPeers: true }],
    ['ALLOW_LOOPBACK_PEERS', '1', { allowLoopbackPeers: true }],
    ['ALLOW_LOOPBACK_PEERS', '0', { allowLoopbackPeers: false }],
    [
      'DNS_SERVERS',
      '192.0.2.1, 192.0.2.2:5353',
      { dnsServers: ['192.0.2.1:53', '192.0.2.2:5353'] },
    ],
    [
      'DNS_SERVERS',
      '2001:db8::1,[2001:db8::2]:54',
      { dnsServers: ['[2001:db8::1]:53', '[2001:db8::2]:54'] },
    ],
    ['MAIL_HOST', 'Mail.BÜCHER.example.', { mailHost: 'mail.xn--bcher-kva.example' }],
    ['MAIL_IPS', '192.0.2.1,2001:DB8::1', { mailIps: ['192.0.2.1', '2001:db8::1'] }],
    ['TRUSTED_PROXIES', 'loopback, 10.0.0.0/8', { trustedProxies: ['loopback', '10.0.0.0/8'] }],
    ['ROLES', 'web, worker', { roles: ['web', 'worker'] }],
    ['ROLES', 'worker,smtp', { roles: ['worker', 'smtp'] }],
    ['METRICS_LISTEN', '[::1]:9090', { metricsListen: { host: '::1', port: 9090 } }],
    ['ALERT_URL', 'https://Example.com/hook?key=1', { alertUrl: 'https://example.com/hook?key=1' }],
    ['ALERT_URL', 'http://127.0.0.1:9093/', { alertUrl: 'http://127.0.0.1:9093/' }],
    [
      'ALERT_RELAY_URL',
      'smtps://me:p%40ss@relay.example.org:465?to=me@example.org',
      {
        alertRelay: {
          url: 'smtps://me:p%40ss@relay.example.org:465',
          ...{ from: 'no-reply@localhost', to: ['me@example.org'] },
        },
      },
    ],
    [
      'ALERT_RELAY_URL',
      'smtp://relay.example.org?from=a@mail.example&to=b@c.example,d@c.example',
      { alertRelay: { from: 'a@mail.example', to: ['b@c.example', 'd@c.example'] } },
    ],
    ['RUN_AS', 'www-data', { runAs: 'www-data' }],
    ['OPERATOR_MAIL', 'ops@Example.com', { operatorMail: 'ops@example.com' }],
    ['BILLING', 'off', { billing: 'off' }],
    ['MAILBOX_PRICE', '350', { mailboxPriceCents: 350 }],
    ['CURRENCY', 'EUR', { currency: 'eur' }],
    ['TAX_RATE', '8.1', { tax: { name: 'VAT', rate: 810 } }],
    ['TAX_RATE', '19', { tax: { rate: 1900 } }],
    ['SELLER_ADDRESS', '1 High Street; London', { seller: { address: '1 High Street\nLondon' } }],
    ['INVOICE_DUE_DAYS', '0', { invoiceDueDays: 0 }],
    ['TERMS_URL', 'https://Example.com/terms', { termsUrl: 'https://example.com/terms' }],
    ['PRIVACY_URL', 'https://example.com/privacy', { privacyUrl: 'https://example.com/privacy' }],
    ['OPERATOR_NAME', 'Weber & Sons', { operatorName: 'Weber & Sons' }],
    ['OPERATOR_CONTACT', 'Help@Example.com', { operatorContact: 'Help@example.com' }],
    [
      'OPERATOR_CONTACT',
      'https://example.com/help',
      { operatorContact: 'https://example.com/help' },
    ],
    [
      'DATABASE_URL',
      'postgresql:///mail?host=/run',
      { databaseUrl: 'postgresql:///mail?host=/run' },
    ],
  ])('%s=%s', (name, value, expected) => {
    expect(config({ [name]: value })).toMatchObject(expected)
  })

  test('a pooler needs the server behind it', () => {
    const DATABASE_POOL_URL = 'postgresql://me@pooler/mail'
    expect(() => config({ DATABASE_POOL_URL })).toThrow(/^DATABASE_URL is "".* DATABASE_POOL_URL/)
    const both = { DATABASE_POOL_URL, DATABASE_URL: 'postgresql://me@db/mail' }
    expect(config({ ...both, DATABASE_CONNECTIONS: '8' })).toMatchObject({
      ...{ databasePoolUrl: DATABASE_POOL_URL, databaseUrl: both.DATABASE_URL },
      databaseConnections: 8,
    })
  })

  test.each([
    ['PORT', 'abc'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['HOST', 'a b'],
    ['PUBLIC_URL', 'mail.example.com'],
    ['PUBLIC_URL', 'ftp://mail.example.com'],
    ['PUBLIC_URL', 'https://mail.example.com/app'],
    ['PUBLIC_URL', 'https://mail.example.com?x'],
    ['DNS_SERVERS', 'ns.example.com'],
    ['DNS_SERVERS', '192.0.2.1:99999'],
    ['DNS_PORT', '0'],
    ['MAIL_HOST', '192.0.2.1'],
    ['MAIL_HOST', '-bad.example'],
    ['MAIL_IPS', '192.0.2.300'],
    ['SMTP_PORT', 'smtp'],
    ['SYSTEM_FROM', 'nobody'],
    ['SYSTEM_MAIL', 'maybe'],
    ['RELAY_URL', 'http://relay.example.com'],
    ['DATABASE_URL', 'mysql://x/y'],
    ['GOOGLE_ISSUER', 'google'],
    ['BILLING', 'stripes'],
    ['MAILBOX_PRICE', '0'],
    ['MAILBOX_PRICE', '1.50'],
    ['CURRENCY', 'jpy'],
    ['TAX_RATE', '101'],
    ['TAX_RATE', '19%'],
    ['TAX_RATE', '8.123'],
    ['SELLER_NAME', 'x'.repeat(1001)],
    ['SELLER_EMAIL', 'nobody'],
    ['INVOICE_DUE_DAYS', '366'],
    ['DOMAIN_MAILBOX_LIMIT', '0'],
    ['SEND_LIMIT', '-1'],
    ['UNDO_SECONDS', '61'],
    ['NEW_RECIPIENT_LIMIT', 'few'],
    ['SIGNUP', 'sometimes'],
    ['TERMS_URL', '/terms'],
    ['PRIVACY_URL', 'privacy'],
    ['OPERATOR_CONTACT', 'javascript:alert(1)'],
    ['TERMS_URL', 'javascript:alert(1)'],
    ['TRUSTED_PROXIES', 'everyone'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', '/8'],
    ['ALLOW_LOOPBACK_PEERS', 'perhaps'],
    ['ROLES', 'web,cook'],
    ['ALERT_RELAY_URL', 'smtp://relay.example.org'],
    ['ALERT_RELAY_URL', 'smtp://relay.example.org?to=nobody'],
    ['ALERT_RELAY_URL', 'smtp://relay.example.org?to=a%40b.example&cc=c%40b.example'],
    ['ALERT_RELAY_URL', 'https://relay.example.org?to=a%40b.example'],
    ['LOG_LEVEL', 'loud'],
  ])('%s=%s stops the start with one line', (name, value) => {
    const allowed = settings[name as keyof typeof settings].kind.allowed
    expect(() => config({ [name]: value })).toThrow(
      `${name} is ${JSON.stringify(value)}, but it must be ${allowed}.`,
    )
  })

  test('no password is printed', () => {
    expect(() => config({ SECRET: 'short' })).toThrow(
      'SECRET is *** (5 characters), but it must be at least 32 characters.',
    )
    expect(() => config({ RELAY_URL: 'http://me:hidden@relay' })).toThrow(
      'RELAY_URL is "http://***@relay", but',
    )
    expect(() => config({ ALERT_URL: 'http://example.com/hook-hidden' })).toThrow(
      'ALERT_URL is *** (30 characters), but',
    )
    expect(() => config({ ALERT_RELAY_URL: 'smtp://me:hidden@relay' })).toThrow(
      'ALERT_RELAY_URL is "smtp://***@relay", but',
    )
    expect(() => config({ DATABASE_URL: 'me:hid@den@db' })).toThrow('DATABASE_URL is "***@db", but')
  })

  test('a certificate needs its key', () => {
    expect(() => config({ TLS_CERT: 'a.pem' })).toThrow('TLS_KEY is "", but it must be set')
    expect(() => config({ TLS_KEY: 'a.pem' })).toThrow('TLS_CERT is "", but it must be set')
  })
})

describe('mailstead.env', () => {
  const write = (text: string) => writeFileSync(join(folder, 'mailstead.env'), text)
  afterAll(() => rmSync(join(folder, 'mailstead.env')))

  test('is read, and the environment wins', () => {
    write('# ours\nPORT=9001\nBILLING="off"\n')
    expect(config()).toMatchObject({ port: 9001, billing: 'off' })
    expect(config({ PORT: '9002' })).toMatchObject({ port: 9002, billing: 'off' })
  })

  test('a misspelt name stops the start', () => {
    write('PROT=9001\n')
    expect(() => config()).toThrow(
      /mailstead\.env sets "PROT", which is not a setting; allowed are PORT,/,
    )
  })
})

test('--help lists every setting with what it allows', () => {
  for (const [name, { kind, does }] of Object.entries(settings)) {
    expect(helpText()).toContain(`  ${name}\n      ${does}\n      Allowed: ${kind.allowed}\n`)
  }
  for (const name of ['TLS_CERT', 'TLS_KEY'])
    expect(helpText()).toMatch(new RegExp(`  ${name}\\n.*\\n      Allowed: a file\\n`))
})

describe('a machine of its own', () => {
  const PUBLIC_URL = 'https://mail.example.com'
  const isAllowed = mayOpenLowPorts()

  test('needs PUBLIC_URL alone, when root or a service starts it', () => {
    const alone = {
      ...{ httpsPort: 443, httpPort: 80, smtpPort: 25, submissionPort: 587 },
      ...{ submissionsPort: 465, imapPort: 143, imapsPort: 993, host: '127.0.0.1' },
      acme: {
        ...{ directoryUrl: 'https://acme-v02.api.letsencrypt.org/directory' },
        ...{ email: null, caFile: null },
      },
    }
    const found = config({ PUBLIC_URL })
    if (!isAllowed)
      return expect(found).toMatchObject({ httpsPort: null, smtpPort: 2525, acme: null })
    expect(found).toMatchObject(alone)
    expect(['::', '0.0.0.0']).toContain(found.mailListen)
    return expect(found.webListen).toBe(found.mailListen)
  })

  test.each([
    { PORT: '8080' },
    { HOST: '127.0.0.1' },
    { TRUSTED_PROXIES: 'loopback' },
    { PUBLIC_URL: 'https://mail.example.com:8443' },
    { PUBLIC_URL: 'http://mail.example.com' },
    { PUBLIC_URL: 'https://192.0.2.1' },
    { PUBLIC_URL: 'https://localhost' },
  ])('is none with %o', (more) => {
    expect(config({ PUBLIC_URL, ...more })).toMatchObject({
      ...{ httpsPort: null, httpPort: null, acme: null, mailListen: '127.0.0.1' },
      ...{ smtpPort: 2525, imapsPort: 2993 },
    })
  })

  test('each setting is still heeded', () => {
    const found = config({ PUBLIC_URL, SMTP_PORT: '2525', HTTP_PORT: '8081', ACME: 'off' })
    expect(found).toMatchObject({ smtpPort: 2525, httpPort: 8081, acme: null })
  })
})

describe('ACME', () => {
  const PUBLIC_URL = 'https://mail.example.com'

  test('is on with HTTPS_PORT and a public https address, else off', () => {
    expect(config({ PUBLIC_URL, HOST: '0.0.0.0', HTTPS_PORT: '443' }).acme).not.toBeNull()
    expect(config({ PUBLIC_URL, HOST: '0.0.0.0' }).acme).toBeNull()
    expect(config({ HTTPS_PORT: '8443' }).acme).toBeNull()
    expect(config({ PUBLIC_URL, HOST: '0.0.0.0', ACME: 'on', ACME_CA: 'root.pem' }).acme).toEqual({
      ...{ directoryUrl: 'https://acme-v02.api.letsencrypt.org/directory', email: null },
      caFile: join(folder, 'root.pem'),
    })
  })

  test('cannot be on where nobody issues a certificate', () => {
    expect(() => config({ ACME: 'on' })).toThrow(
      'ACME is "on", but it must be off unless PUBLIC_URL is an address such as https://mail.example.com',
    )
  })
})
