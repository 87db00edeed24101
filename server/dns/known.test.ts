import { expect, test } from 'vitest'
import { dnsProvider } from '#contract/dns/setting.ts'
import { providerOf, providers } from './providers.ts'
import { elsewhereOf, presentMail, receivingChanges } from './receiving-changes.ts'
import { serviceOfMx, services } from './services.ts'
import { leftOutOf, servicesIn } from './spf-services.ts'

const zone = 'example.com'

test.each([
  ['GoDaddy', ['ns51.domaincontrol.com', 'ns52.domaincontrol.com'], 'Name', '@', 1024, 'whole'],
  ['Cloudflare', ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'], 'Name', '@', 4000, 'whole'],
  ['Cloudflare', ['blue.foundationdns.com', 'blue.foundationdns.org'], 'Name', '@', 4000, 'whole'],
  [
    'Namecheap',
    ['dns1.registrar-servers.com', 'dns2.registrar-servers.com'],
    'Host',
    '@',
    2500,
    'whole',
  ],
  [
    'Squarespace',
    ['nsd1.squarespacedns.com', 'nsd2.squarespacedns.com'],
    'Host',
    '@',
    null,
    'whole',
  ],
  ['Squarespace', ['ns-cloud-a1.googledomains.com'], 'Host', '@', null, 'whole'],
  ['Hostinger', ['lunar.dns-parking.com', 'solar.dns-parking.com'], 'Name', '@', null, 'whole'],
  [
    'IONOS',
    ['ns1042.ui-dns.biz', 'ns1060.ui-dns.com', 'ns1090.ui-dns.de'],
    'Host name',
    '@',
    null,
    'whole',
  ],
  ['Wix', ['ns8.wixdns.net', 'ns9.wixdns.net'], 'Host name', '', null, 'whole'],
  ['OVHcloud', ['dns10.ovh.net', 'ns10.ovh.net'], 'Sub-domain', '', null, 'whole'],
  [
    'Amazon Route 53',
    ['ns-1234.awsdns-56.co.uk', 'ns-7.awsdns-08.com', 'ns-70.awsdns-01.net'],
    'Record name',
    '',
    4000,
    'strings',
  ],
  ['Hetzner', ['helium.ns.hetzner.de', 'hydrogen.ns.hetzner.com'], 'Name', '@', null, 'strings'],
  [
    'DigitalOcean',
    ['ns1.digitalocean.com', 'NS2.DigitalOcean.com.'],
    'Hostname',
    '@',
    512,
    'whole',
  ],
  ['Gandi', ['ns-12-a.gandi.net', 'ns-7-b.gandi.net'], 'Name', '@', null, 'whole'],
  ['Porkbun', ['curitiba.ns.porkbun.com', 'fortaleza.ns.porkbun.com'], 'Host', '', null, 'whole'],
] as const)('%s is known by %j', (name, hosts, hostLabel, apexHost, longestTxt, longValues) => {
  const provider = providerOf(hosts, zone)
  expect(dnsProvider.parse(provider)).toEqual(provider)
  expect(provider).toMatchObject({ name, hostLabel, apexHost, longestTxt, longValues })
  expect(provider?.hint.length).toBeGreaterThan(40)
})

test('every provider has its row above, and none stands twice', () => {
  const names = providers.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(names).toHaveLength(13)
})

test.each([
  [['ns1.example.com', 'ns2.example.com']],
  [['ns.cloudflare.com.evil.example']],
  [['fakedomaincontrol.com']],
  [['ns1.digitalocean.com', 'ns51.domaincontrol.com']],
  [['ns1.digitalocean.com', 'ns1.example.com']],
  [[]],
])('%j is no provider whose editor we know', (hosts) => {
  expect(providerOf(hosts, zone)).toBeNull()
})

test('a zone with odd letters stays inside the address of the page', () => {
  const { url } = providerOf(['ns1.digitalocean.com'], 'a/../b?c.example') ?? { url: '' }
  expect(url).toBe('https://cloud.digitalocean.com/networking/domains/a%2F..%2Fb%3Fc.example')
})

test.each([
  ['aspmx.l.google.com', 'Google Workspace'],
  ['alt1.aspmx.l.google.com', 'Google Workspace'],
  ['smtp.google.com', 'Google Workspace'],
  ['example-com.mail.protection.outlook.com', 'Microsoft 365'],
  ['example-com.a-v1.mx.microsoft', 'Microsoft 365'],
  ['mx.zoho.eu', 'Zoho Mail'],
  ['in1-smtp.messagingengine.com', 'Fastmail'],
  ['mail.protonmail.ch', 'Proton Mail'],
  ['mx01.mail.icloud.com', 'iCloud Mail'],
  ['mx.yandex.net', 'Yandex 360'],
  ['mx00.ionos.de', 'IONOS Mail'],
  ['mx1.mail.ovh.net', 'OVHcloud'],
  ['mx1.privateemail.com', 'Namecheap Private Email'],
  ['eforward1.registrar-servers.com', 'Namecheap Email Forwarding'],
  ['mx1.hostinger.com', 'Hostinger Email'],
  ['mailstore1.secureserver.net', 'GoDaddy Email'],
  ['eu-smtp-inbound-1.mimecast.com', 'Mimecast'],
  ['mxa-00123456.gslb.pphosted.com', 'Proofpoint'],
  ['d12345a.ess.barracudanetworks.com', 'Barracuda'],
  ['route1.mx.cloudflare.net', 'Cloudflare Email Routing'],
  ['mx1.improvmx.com', 'ImprovMX'],
  ['mail.example.com', undefined],
  ['google.com.evil.example', undefined],
  ['notgoogle.com', undefined],
])('the mail host %s belongs to %s', (host, name) => {
  expect(serviceOfMx(host)?.name).toBe(name)
})

test('no service stands twice', () => {
  const names = services.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})

test.each<[string[], string[], string[]]>([
  [['v=spf1 include:_spf.google.com ~all'], [], ['Google Workspace']],
  [
    [
      'v=spf1 include:spf.protection.outlook.com include:servers.mcsv.net include:sendgrid.net -all',
    ],
    [],
    ['Microsoft 365', 'Mailchimp', 'SendGrid'],
  ],
  [
    ['v=spf1 include:123.spf06.hubspotemail.net include:SPF.Brevo.COM ~all'],
    [],
    ['HubSpot', 'Brevo'],
  ],
  [['v=spf1 include:spf.shop.example ~all'], [], ['spf.shop.example']],
  [
    [
      'v=spf1 a mx a:web.example ip4:192.0.2.1 +ip4:192.0.2.2/32 ip4:198.51.100.0/24 ip6:2001:db8::/32 -all',
    ],
    [],
    [
      'the server of its website',
      'the servers that receive its mail',
      'the server web.example',
      '2 IP addresses',
      '2 IP networks',
    ],
  ],
  [['v=spf1 ip4:192.0.2.25 ip4:192.0.2.9 ~all'], ['ip4:192.0.2.25'], ['1 IP address']],
  [['v=spf1 +include:spf.ours.test ~all'], ['include:spf.ours.test'], []],
  [['v=spf1 redirect=_spf.google.com'], [], ['Google Workspace']],
  [['v=spf1 -all redirect=_spf.google.com'], [], []],
  [['v=spf1 +all'], [], ['every server in the world']],
  [['v=spf1 -all include:_spf.google.com'], [], []],
  [['v=spf1 -include:bad.example ?include:maybe.example ~all'], [], []],
  [
    ['v=spf1 exists:%{i}._spf.example ptr ~all'],
    [],
    ['whatever %{i}._spf.example answers for', 'servers whose names end in its own name'],
  ],
  [
    [
      'v=spf1 include:_spf.google.com ~all',
      'v=spf1 include:_spf.google.com include:sendgrid.net ~all',
    ],
    [],
    ['Google Workspace', 'SendGrid'],
  ],
  [['v=spf1'], [], []],
])('%j besides %j authorises %j', (records, ours, expected) => {
  expect(servicesIn(records, ours)).toEqual(expected)
})

const mailHost = 'mail.host.test'
const changes = (hosts: [number, string][], mailboxes = 0, catchAll: string | null = null) =>
  receivingChanges({
    domain: zone,
    mailHost,
    mailboxes,
    catchAll,
    hosts: hosts.map(([priority, host]) => ({ priority, host })),
  })

test('nothing changes where mail comes here already, or to nobody', () => {
  expect(changes([])).toEqual([])
  expect(changes([[10, mailHost]])).toEqual([])
  expect(
    changes([
      [10, mailHost],
      [20, 'backup.example.net'],
    ]),
  ).toEqual([])
})

test.each([
  [['v=spf1 include:gone.test include:_spf.google.com -all'], ['gone.test']],
  [['v=spf1 redirect=gone.test'], ['gone.test']],
  [['v=spf1 include:_spf.google.com ip4:198.51.100.1 -all', 'v=spf1 ip4:198.51.100.1 ~all'], []],
  [['v=spf1 -all include:gone.test'], []],
])('%j leaves out %j', (records, expected) => {
  const proposed = 'v=spf1 include:_spf.google.com ip4:198.51.100.1 ip4:192.0.2.25 -all'
  expect(leftOutOf(records, proposed)).toEqual(expected)
})

test('who would lose mail is said before anybody moves it', () => {
  expect(
    changes([
      [1, 'aspmx.l.google.com'],
      [5, 'alt1.aspmx.l.google.com'],
    ]),
  ).toEqual([
    'All mail for example.com goes to Google Workspace now. With our MX record in the place of the present ones, new mail comes here instead.',
    'No mailbox of example.com takes mail here yet: mail to every address would be refused, so first create one for everybody who reads mail at Google Workspace.',
    'Mail that is stored at Google Workspace stays there and can be read there, but nothing new arrives there.',
    'Sending from here does not need this change: it works also while mail for example.com goes on arriving at Google Workspace.',
  ])
  expect(
    changes([
      [10, mailHost],
      [10, 'mx.old.example'],
    ])[0],
  ).toBe(
    'Mail for example.com goes to mx.old.example and comes here, as its MX records have it now. With ours alone, all new mail comes here.',
  )
  expect(changes([[10, 'mx.old.example']], 1)[1]).toBe(
    'The one mailbox of example.com here would receive it; mail to any other address would be refused, so first create one for everybody who reads mail at mx.old.example.',
  )
  expect(
    changes(
      [
        [10, 'mx.old.example'],
        [20, mailHost],
      ],
      12,
    )[1],
  ).toMatch(/^The 12 mailboxes of example\.com here would receive it/)
  expect(changes([[10, 'mx.old.example']], 12, 'ada@example.com')[1]).toBe(
    'The 12 mailboxes of example.com here would receive it; mail to any other address would go to the catch-all, ada@example.com, so first create one for everybody who reads mail at mx.old.example.',
  )
  expect(changes([[10, 'mx.old.example']], 0, 'ada@other.example')[1]).toBe(
    'Mail to every address of example.com would go to the catch-all here, ada@other.example.',
  )
})

test('a filter, forwarding and a null MX have words of their own', () => {
  expect(changes([[10, 'eu-smtp-inbound-1.mimecast.com']])[2]).toBe(
    'Mail would no longer pass through Mimecast, and no longer reach the mailboxes behind it; what they hold stays there.',
  )
  expect(changes([[10, 'route1.mx.cloudflare.net']])[2]).toBe(
    'Cloudflare Email Routing would forward nothing any more; people who are reached through it need a mailbox here.',
  )
  expect(changes([[0, '.']], 2)).toEqual([
    'example.com says today that it takes no mail at all (a null MX). With our MX record in its place it begins to receive mail here.',
    'The 2 mailboxes of example.com here would receive it; mail to any other address would be refused.',
  ])
})

test('where mail goes elsewhere is told of others, and never of us', () => {
  const elsewhere = (...hosts: [number, string][]) =>
    elsewhereOf(
      presentMail(
        hosts.map(([priority, host]) => ({ priority, host })),
        mailHost,
      ),
    )
  expect(elsewhere([10, mailHost], [10, 'mx.old.example'])).toBe('mx.old.example')
  expect(elsewhere([10, mailHost], [20, 'aspmx.l.google.com'])).toBe('Google Workspace')
  expect(elsewhere([10, mailHost])).toBeNull()
  expect(elsewhere([0, '.'])).toBeNull()
})

test('mail is ours only when it comes here first', () => {
  const isOurs = (hosts: [number, string][]) =>
    presentMail(
      hosts.map(([priority, host]) => ({ priority, host })),
      mailHost,
    ).isOurs
  expect(isOurs([[10, mailHost]])).toBe(true)
  expect(
    isOurs([
      [10, mailHost],
      [10, 'mx.old.example'],
    ]),
  ).toBe(false)
  expect(
    isOurs([
      [10, 'mx.old.example'],
      [20, mailHost],
    ]),
  ).toBe(false)
  expect(isOurs([[10, `${mailHost}.example.com`]])).toBe(true)
  expect(changes([[10, `${mailHost}.example.com`]])).toEqual([])
  expect(isOurs([[0, '.']])).toBe(false)
  expect(isOurs([])).toBe(false)
})
