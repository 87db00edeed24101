import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { computingMsOf } from '#test-world/processor-time.ts'
import { appleProfile } from './apple-profile.ts'
import { autoconfigXml } from './autoconfig.ts'
import { autodiscoverRefusal, autodiscoverXml, readAutodiscover } from './autodiscover.ts'
import type { MailServer } from './mail-server.ts'
import { paccJson, paccRecord } from './pacc.ts'
import { xmlText } from './xml-text.ts'

const server: MailServer = {
  name: 'Smith & Sons <mail>',
  host: 'mail.host.example',
  ...{ imapsPort: 993, imapPort: 143, submissionsPort: 465, submissionPort: 587 },
  webMailUrl: 'https://host.example/login?a=1&b=2',
  helpUrl: 'https://host.example/dashboard/set-up-mail',
}

/** The text of each element of this name. */
const all = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}(?: [^>]*)?>([^<]*)</${name}>`, 'g'))].map((found) =>
    String(found[1]),
  )

/** Every element ends where it should, and no bare ampersand is left. */
const expectWellFormed = (xml: string): void => {
  const open: string[] = []
  for (const [, end, name, own] of xml.matchAll(/<(\/?)([A-Za-z][\w]*)[^<>]*?(\/?)>/g))
    if (end) expect(open.pop()).toBe(name)
    else if (!own) open.push(String(name))
  expect(open).toEqual([])
  expect(xml).not.toMatch(/&(?!(?:amp|lt|gt|quot|#39);)/)
}

test('autoconfig names IMAP and SMTP, TLS first, and no address', () => {
  const xml = autoconfigXml('customer.example', server)
  expectWellFormed(xml)
  expect(all(xml, 'domain')).toEqual(['customer.example'])
  expect(all(xml, 'port')).toEqual(['993', '143', '465', '587'])
  expect(all(xml, 'socketType')).toEqual(['SSL', 'STARTTLS', 'SSL', 'STARTTLS'])
  expect(new Set(all(xml, 'hostname'))).toEqual(new Set(['mail.host.example']))
  expect(new Set(all(xml, 'username'))).toEqual(new Set(['%EMAILADDRESS%']))
  expect(new Set(all(xml, 'authentication'))).toEqual(new Set(['password-cleartext']))
  expect(all(xml, 'displayName')).toEqual(['Smith &amp; Sons &lt;mail&gt;'])
  expect(xml).toContain('<loginPage url="https://host.example/login?a=1&amp;b=2"/>')
  expect(xml).toContain('<documentation url="https://host.example/dashboard/set-up-mail">')
})

test('what XML cannot hold is left out', () => {
  expect(xmlText('a\u0000\u001b\ufffe\ud800b"\'')).toBe('a\ufffdb&quot;&#39;')
})

const REQUEST = `<?xml version="1.0" encoding="utf-8"?>
<Autodiscover xmlns="http://schemas.microsoft.com/exchange/autodiscover/outlook/requestschema/2006">
  <Request>
    <EMailAddress>Ada@Customer.example</EMailAddress>
    <AcceptableResponseSchema>http://schemas.microsoft.com/exchange/autodiscover/outlook/responseschema/2006a</AcceptableResponseSchema>
  </Request>
</Autodiscover>`

test.each([
  ['of Outlook', REQUEST, { address: 'ada@customer.example', isForMail: true }],
  [
    'with a prefix, and other case',
    '<a:EmailAddress> ada@customer.example\r\n</a:EmailAddress>',
    { address: 'ada@customer.example', isForMail: true },
  ],
  [
    'of ActiveSync',
    REQUEST.replace('outlook/responseschema/2006a', 'mobilesync/responseschema/2006'),
    { address: 'ada@customer.example', isForMail: false },
  ],
  [
    'with an escaped letter',
    '<EMailAddress>r&amp;d@customer.example</EMailAddress>',
    { address: 'r&d@customer.example', isForMail: true },
  ],
  ['without an address', '<EMailAddress/>', { address: null, isForMail: true }],
  [
    'with an entity of its own',
    '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><EMailAddress>&x;@customer.example</EMailAddress>',
    { address: null, isForMail: true },
  ],
  [
    'with markup inside',
    '<EMailAddress><b>ada@customer.example</b></EMailAddress>',
    { address: null, isForMail: true },
  ],
])('a request of Autodiscover %s', (_which, body, read) => {
  expect(readAutodiscover(body)).toEqual(read)
})

test('a hostile request of Autodiscover costs as little as its length', async () => {
  const laughs = Array.from({ length: 3_000 }, (_, n) => `<!ENTITY l${n + 1} "&l${n};&l${n};">`)
  const bodies = [
    `<!DOCTYPE l [<!ENTITY l0 "ha">${laughs.join('')}]><EMailAddress>&l3000;</EMailAddress>`,
    '<EMailAddress>'.repeat(70_000),
    `<EMailAddress>${' '.repeat(1_000_000)}`,
    `<EMailAddress>${'a'.repeat(1_000_000)}`,
    `<${'a'.repeat(500_000)}:`.repeat(2),
    '<AcceptableResponseSchema>'.repeat(40_000),
  ]
  const spent = await computingMsOf(() => {
    for (const body of bodies) expect(readAutodiscover(body).address).toBeNull()
  })
  expect(spent).toBeLessThan(2_000)
})

test('Autodiscover offers IMAP and SMTP, and never Exchange', () => {
  const xml = autodiscoverXml('r&d@customer.example', server)
  expectWellFormed(xml)
  expect(all(xml, 'Type')).toEqual(['IMAP', 'SMTP'])
  expect(all(xml, 'Port')).toEqual(['993', '465'])
  expect(all(xml, 'SSL')).toEqual(['on', 'on'])
  expect(all(xml, 'LoginName')).toEqual(['r&amp;d@customer.example', 'r&amp;d@customer.example'])
  expect(xml).not.toMatch(/>(?:EXCH|EXPR|MobileSync|ActiveSync)</i)
  const refusal = autodiscoverRefusal(601, new Date('2026-01-02T03:04:05.678Z'))
  expectWellFormed(refusal)
  expect(refusal).toContain('<Error Time="03:04:05.678" Id="0">')
  expect(all(refusal, 'ErrorCode')).toEqual(['601'])
})

test('the file of PACC is named by the hash in DNS, and is not there for other ports', () => {
  const json = paccJson(server)
  expect(JSON.parse(String(json))).toEqual({
    protocols: { imap: { host: 'mail.host.example' }, smtp: { host: 'mail.host.example' } },
    authentication: { password: true },
    info: {
      provider: { name: server.name, shortName: server.name },
      help: { documentation: server.helpUrl },
    },
  })
  const hash = createHash('sha256').update(String(json)).digest('base64')
  expect(paccRecord(String(json))).toBe(`v=UAAC1; a=sha256; d=${hash}`)
  expect(paccJson({ ...server, imapsPort: 2993 })).toBeNull()
  expect(paccJson({ ...server, submissionsPort: 2465 })).toBeNull()
})

test('the profile for Apple Mail is the same each time for one address, and escaped', () => {
  const profile = appleProfile("o'hara&co@customer.example", server)
  expectWellFormed(profile.slice(profile.indexOf('<plist')))
  expect(profile).toContain(
    '<key>IncomingMailServerUsername</key><string>o&#39;hara&amp;co@customer.example</string>',
  )
  expect(profile).toContain('<key>IncomingMailServerPortNumber</key><integer>993</integer>')
  expect(profile).toContain('<key>OutgoingMailServerPortNumber</key><integer>465</integer>')
  expect(profile).toContain('<key>IncomingMailServerUseSSL</key><true/>')
  expect(profile).toContain('<key>PayloadOrganization</key><string>Smith &amp; Sons &lt;mail&gt;')
  const ids = (text: string) =>
    [...text.matchAll(/<key>PayloadUUID<\/key><string>([^<]+)</g)].map(String)
  expect(new Set(ids(profile)).size).toBe(2)
  expect(profile).toMatch(/<string>[0-9A-F]{8}-[0-9A-F]{4}-8[0-9A-F]{3}-A[0-9A-F]{3}-[0-9A-F]{12}</)
  expect(appleProfile("o'hara&co@customer.example", server)).toBe(profile)
  expect(ids(appleProfile('ada@customer.example', server))).not.toEqual(ids(profile))
})
