/**
 * The DNS providers that most domains use, recognised by the name servers of the zone, and what their editors expect. Only facts
 * about their pages; `{zone}` in a URL is the zone.
 */
import type { DnsProvider } from '#contract/dns/setting.ts'
import { isWithin } from './services.ts'

type Known = DnsProvider & {
  /** Suffixes of its name servers. */
  nameServers: readonly string[]
  /** A pattern of its name servers. */
  pattern?: RegExp
}

const usual = { appendsDomain: true, apexHost: '@', longestTxt: null, longValues: 'whole' } as const

/** By market share: GoDaddy and Cloudflare answer for a third of all domains. */
export const providers: readonly Known[] = [
  {
    ...usual,
    name: 'GoDaddy',
    nameServers: ['domaincontrol.com'],
    hostLabel: 'Name',
    longestTxt: 1024,
    url: 'https://dcc.godaddy.com/control/dnsmanagement?domainName={zone}',
    hint: 'GoDaddy appends the domain to Name: a name that is typed in full ends up with the domain twice. A TXT value may have at most 1,024 characters.',
  },
  {
    ...usual,
    name: 'Cloudflare',
    nameServers: [
      'ns.cloudflare.com',
      'foundationdns.com',
      'foundationdns.net',
      'foundationdns.org',
    ],
    hostLabel: 'Name',
    // 4,096 bytes on the wire, with a length byte per string.
    longestTxt: 4000,
    url: 'https://dash.cloudflare.com/?to=/:account/:zone/dns/records',
    hint: 'Enter the value without quotation marks; Cloudflare cuts long ones by itself. While Email Routing is on, it keeps the MX and SPF records locked: switch it off before you change them. Mail servers are never proxied (no orange cloud).',
  },
  {
    ...usual,
    name: 'Namecheap',
    nameServers: ['registrar-servers.com', 'namecheaphosting.com'],
    hostLabel: 'Host',
    longestTxt: 2500,
    url: 'https://ap.www.namecheap.com/domains/domaincontrolpanel/{zone}/advancedns',
    hint: 'Namecheap appends the domain to Host, and takes no quotation marks in a value. MX records can be entered only when Mail Settings, further down on that page, is set to Custom MX.',
  },
  {
    ...usual,
    name: 'Squarespace',
    nameServers: ['squarespacedns.com', 'squarespace-dns.com', 'googledomains.com'],
    hostLabel: 'Host',
    url: 'https://account.squarespace.com/domains/managed/{zone}/dns/dns-settings',
    hint: 'Squarespace appends the domain to Host, and calls the value Data. Add records under Custom records; those of a preset for mail stand in a group of their own above them.',
  },
  {
    ...usual,
    name: 'Hostinger',
    nameServers: ['dns-parking.com', 'hostinger.com'],
    hostLabel: 'Name',
    url: 'https://hpanel.hostinger.com/domain/{zone}/dns',
    hint: 'Hostinger appends the domain to Name. New domains may have MX and SPF records of Hostinger Email already: change the SPF record that is there instead of adding another.',
  },
  {
    ...usual,
    name: 'IONOS',
    nameServers: ['ui-dns.com', 'ui-dns.de', 'ui-dns.org', 'ui-dns.biz'],
    hostLabel: 'Host name',
    url: 'https://my.ionos.com/domain-dns-settings/{zone}',
    hint: 'IONOS appends the domain to Host name. It has an entry SPF (TXT) beside TXT; both make a TXT record. An MX record of your own ends the mail service of IONOS for the domain, so add it only when mail is to move.',
  },
  {
    ...usual,
    name: 'Wix',
    nameServers: ['wixdns.net'],
    hostLabel: 'Host name',
    apexHost: '',
    url: 'https://manage.wix.com/account/domains',
    hint: 'Open Manage DNS records from the menu of the domain. Wix appends the domain to Host name; leave it empty for the domain itself. Each type of record has a section of its own.',
  },
  {
    ...usual,
    name: 'OVHcloud',
    nameServers: ['ovh.net', 'ovh.ca', 'anycast.me'],
    hostLabel: 'Sub-domain',
    apexHost: '',
    url: 'https://www.ovh.com/manager/#/web/domain/{zone}/zone',
    hint: 'OVHcloud appends the domain to Sub-domain, and also to a mail server that has no dot at its end. Choose the type TXT: the forms called SPF, DKIM and DMARC put values together in their own way.',
  },
  {
    ...usual,
    name: 'Amazon Route 53',
    nameServers: [],
    pattern: /^ns-\d+\.awsdns-\d+\.(?:com|net|org|co\.uk)$/,
    hostLabel: 'Record name',
    apexHost: '',
    longestTxt: 4000,
    longValues: 'strings',
    url: 'https://console.aws.amazon.com/route53/v2/hostedzones',
    hint: 'Route 53 wants every TXT value in double quotes, in strings of at most 255 characters. All values of one name and type are one record there: where a TXT record exists already, edit it and add a line.',
  },
  {
    ...usual,
    name: 'Hetzner',
    nameServers: [
      'ns.hetzner.com',
      'ns.hetzner.de',
      'first-ns.de',
      'second-ns.de',
      'second-ns.com',
    ],
    hostLabel: 'Name',
    longValues: 'strings',
    url: 'https://console.hetzner.com/projects',
    hint: 'Open the zone in the project that holds it. Hetzner appends the domain to Name, and also to a mail server that has no dot at its end. Enter long TXT values as quoted strings of at most 255 characters.',
  },
  {
    ...usual,
    name: 'DigitalOcean',
    nameServers: ['digitalocean.com'],
    hostLabel: 'Hostname',
    longestTxt: 512,
    url: 'https://cloud.digitalocean.com/networking/domains/{zone}',
    hint: 'DigitalOcean appends the domain to Hostname. A TXT value may have at most 512 characters, quotation marks counted, so enter it without them. End the name of the mail server with a dot.',
  },
  {
    ...usual,
    name: 'Gandi',
    nameServers: ['gandi.net'],
    hostLabel: 'Name',
    url: 'https://admin.gandi.net/domain/',
    hint: 'Choose the domain, then DNS Records. Gandi appends the domain to Name, and also to a mail server that has no dot at its end. Records can be edited there only while the domain uses LiveDNS.',
  },
  {
    ...usual,
    name: 'Porkbun',
    nameServers: ['porkbun.com'],
    hostLabel: 'Host',
    apexHost: '',
    url: 'https://porkbun.com/account/domainsSpeedy',
    hint: 'Porkbun appends the domain to Host, and calls the value Answer. New domains have a CNAME record for * that answers for every name without records of its own: delete it if it leads to pixie.porkbun.com.',
  },
]

/** Returns null when any name server belongs to another provider: records would have to be entered in two places. */
export const providerOf = (
  nameServers: readonly string[],
  zone: string | null,
): DnsProvider | null => {
  const [first, ...others] = nameServers.map((host) => knownBy(host))
  if (!first || zone === null || others.some((other) => other !== first)) return null
  const { nameServers: _suffixes, pattern: _pattern, ...provider } = first
  return { ...provider, url: provider.url.replace('{zone}', encodeURIComponent(zone)) }
}

const knownBy = (host: string): Known | null =>
  providers.find(
    ({ nameServers, pattern }) =>
      nameServers.some((suffix) => isWithin(host, suffix)) || pattern?.test(host.toLowerCase()),
  ) ?? null
