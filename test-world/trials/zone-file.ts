/**
 * Loads a domain's zone file into a real name server (Knot DNS) on loopback, lets third-party programs check it, and queries
 * every record. Needs Debian's packages knot, knot-dnssecutils and opendkim-tools.
 */

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DnsRecord } from '#contract/domains.ts'
import type { Dns, RecordType } from '#server/lib/dns/dns.ts'
import { openDns } from '#server/lib/dns/dns-client.ts'
import { freePort } from '../free-port.ts'
import type { Product } from '../product.ts'
import type { Account } from './account.ts'

export type ZoneFileTrial = {
  /** The number of records that the name server returned correctly. */
  served: number
  faults: string[]
}

const packages = {
  kzonecheck: 'knot-dnssecutils',
  knotd: 'knot',
  'opendkim-testkey': 'opendkim-tools',
}
type Tool = keyof typeof packages
const tools = Object.keys(packages) as Tool[]
const nameServer: Tool = 'knotd'

/** Programs for administrators may be missing from PATH. */
const env = { ...process.env, PATH: `${process.env.PATH ?? ''}:/usr/sbin:/usr/local/sbin` }
const READY_MS = 15_000

export const tryZoneFile = async (
  product: Pick<Product, 'dns'>,
  account: Account,
): Promise<ZoneFileTrial> => {
  const missing = (
    await Promise.all(tools.map(async (tool) => ((await isThere(tool)) ? [] : tool)))
  ).flat()
  if (missing.length > 0)
    return {
      served: 0,
      faults: [
        `the zone file was not tried, since ${missing.join(', ')} cannot be run: apt-get install ${missing.map((tool) => packages[tool]).join(' ')}`,
      ],
    }
  const trials = [
    await tryDomain(product, account, 'empty-zone.example', []),
    await tryDomain(product, account, 'full-zone.example', [
      ['full-zone.example', 'TXT', 'v=spf1 include:_spf.mailstead.example -all'],
      ['full-zone.example', 'MX', '1 mx.elsewhere.example'],
      ['_dmarc.full-zone.example', 'TXT', 'v=DMARC1; p=reject; rua=mailto:dmarc@full-zone.example'],
    ]),
  ]
  return {
    served: trials.reduce((sum, { served }) => sum + served, 0),
    faults: trials.flatMap(({ faults }) => faults),
  }
}

const isThere = async (tool: Tool): Promise<boolean> =>
  (await run('sh', ['-c', `command -v ${tool}`])).code === 0

type Present = [name: string, type: 'TXT' | 'MX', value: string]

const tryDomain = async (
  { dns }: Pick<Product, 'dns'>,
  account: Account,
  name: string,
  present: Present[],
): Promise<ZoneFileTrial> => {
  dns.zone(name)
  for (const [at, type, value] of present) dns.set(at, type, [value])
  const { _id: id } = await account.ask('POST', '/domains', { name })
  const content = await account.bytes(`/domains/${id}/zone-file`)
  const records: DnsRecord[] = [
    await account.ask('GET', `/dns-records/ownership/${id}`),
    ...(await account.ask('GET', `/dns-records/dns/${id}`)),
  ]
  const folder = mkdtempSync(join(tmpdir(), 'mailstead-zone-'))
  try {
    writeFileSync(join(folder, 'part.zone'), content)
    writeFileSync(join(folder, 'whole.zone'), wholeZone(name, present, join(folder, 'part.zone')))
    const checked = await run('kzonecheck', ['-o', name, join(folder, 'whole.zone')])
    if (checked.code !== 0)
      return { served: 0, faults: [`kzonecheck refuses the zone file of ${name}: ${checked.said}`] }
    return await tryServed(folder, name, records, present)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The zone at a provider: its previous records, and our file included. */
const wholeZone = (name: string, present: Present[], part: string): string =>
  [
    `$ORIGIN ${name}.`,
    '$TTL 300',
    '@ IN SOA ns1 hostmaster 1 3600 600 86400 300',
    '@ IN NS ns1',
    'ns1 IN A 127.0.0.1',
    ...present.map(
      ([at, type, value]) => `${at}. IN ${type} ${type === 'MX' ? `${value}.` : `"${value}"`}`,
    ),
    `$INCLUDE ${part}`,
    '',
  ].join('\n')

const tryServed = async (
  folder: string,
  name: string,
  records: DnsRecord[],
  present: Present[],
): Promise<ZoneFileTrial> => {
  const port = await freePort()
  const server = startKnot(folder, name, port)
  try {
    const dns = openDns({ servers: [`127.0.0.1:${port}`], port, allowLoopbackPeers: true })
    await ready(dns, name, server)
    const faults: string[] = []
    const taken = new Set(present.map(([at, type]) => `${at} ${type}`))
    const ours = records.filter((record) => !taken.has(`${record.name} ${record.type}`))
    for (const { name: at, type, value } of ours)
      faults.push(...(await faultsOf(dns, at, type as RecordType, value)))
    // The previous records are still alone: no second SPF record, no second policy, no moved mail.
    for (const [at, type, value] of present)
      faults.push(
        ...(await faultsOf(dns, at, type, type === 'MX' ? (value.split(' ')[1] ?? '') : value)),
      )
    faults.push(...(await testKey(folder, name, records, port)))
    return { served: ours.length + present.length - faults.length, faults }
  } finally {
    server.child.kill()
    await server.ended
  }
}

const faultsOf = async (
  dns: Dns,
  name: string,
  type: RecordType,
  value: string,
): Promise<string[]> => {
  const answer = await dns.lookUp(name, type)
  const found = answer.outcome === 'found' ? answer.records.map(({ data }) => data) : []
  return found.length === 1 && found[0] === value
    ? []
    : [`${name} ${type}: the name server has ${JSON.stringify(found)} instead of ${value}`]
}

const testKey = async (
  folder: string,
  name: string,
  records: DnsRecord[],
  port: number,
): Promise<string[]> => {
  const dkim = records.find(({ purpose }) => purpose === 'dkim')
  const selector = dkim?.name.split('.')[0] ?? ''
  const [resolver, settings] = [join(folder, 'resolver.conf'), join(folder, 'opendkim.conf')]
  writeFileSync(
    resolver,
    `server:\n  do-not-query-localhost: no\n  module-config: "iterator"\nforward-zone:\n  name: "."\n  forward-addr: 127.0.0.1@${port}\n`,
  )
  writeFileSync(settings, `ResolverConfiguration ${resolver}\n`)
  const tested = await run('opendkim-testkey', ['-vvv', '-d', name, '-s', selector, '-x', settings])
  return tested.code === 0 && tested.said.includes('key OK')
    ? []
    : [`opendkim-testkey refuses the key of ${name}: ${tested.said}`]
}

type Knot = { child: ChildProcess; ended: Promise<string> }

const startKnot = (folder: string, zone: string, port: number): Knot => {
  for (const each of ['run', 'db']) mkdirSync(join(folder, each))
  const settings = join(folder, 'knot.conf')
  writeFileSync(
    settings,
    `server:
  rundir: ${folder}/run
  listen: 127.0.0.1@${port}
  udp-workers: 1
  tcp-workers: 1
log:
  - target: stderr
    any: warning
database:
  storage: ${folder}/db
template:
  - id: default
    storage: ${folder}
    zonefile-sync: -1
    journal-content: none
zone:
  - domain: ${zone}
    file: whole.zone
`,
  )
  const child = spawn(nameServer, ['-c', settings], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  const ended = new Promise<string>((done) => child.on('close', () => done(said)))
  return { child, ended }
}

const ready = async (dns: Dns, zone: string, { ended }: Knot): Promise<void> => {
  let death: string | null = null
  void ended.then((said) => {
    death = said
  })
  const giveUpAt = Date.now() + READY_MS
  while ((await dns.lookUp(zone, 'SOA')).outcome !== 'found') {
    if (death !== null) throw new Error(`knotd ended: ${death}`)
    if (Date.now() > giveUpAt) throw new Error(`knotd has not loaded ${zone} within ${READY_MS} ms`)
    await new Promise((done) => setTimeout(done, 50))
  }
}

const run = (command: string, args: string[]): Promise<{ code: number; said: string }> =>
  new Promise((done) => {
    execFile(command, args, { env, timeout: 30_000 }, (error, out, err) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1
      done({ code, said: `${out}${err}`.trim().replace(/\s+/g, ' ') })
    })
  })
