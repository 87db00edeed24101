/** Whatever bytes stand in DNS: the checks go on, and what they store can be read and shown. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DnsRecord, dnsRecord } from '#contract/domains.ts'
import { addDomain } from '#server/features/domains/add-domain.ts'
import { dnsRecords, ownershipRecord } from '#server/features/domains/dns-records.ts'
import { openDns } from '#server/lib/dns/dns-client.ts'
import { newId } from '#server/lib/ids.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aUser, aWorkspace } from '#test-world/builders.ts'
import { aDnsServer, type TestDns } from '#test-world/dns/dns-server.ts'
import { checkDomain } from './check-domain.ts'
import { dnsSetting } from './dns-setting.ts'

const DOMAIN = 'hostile.example'

let world: TestDns
let app: TestApp
beforeAll(async () => {
  world = await aDnsServer()
  const settings = { servers: [world.address], port: world.port, allowLoopbackPeers: true }
  app = await anApp({ dns: openDns(settings), config: { mailIps: ['192.0.2.25'] } })
  world.zone(DOMAIN)
})
afterAll(async () => {
  await app.close()
  await world.close()
})

const words = [
  ...[
    'v=spf1',
    ' include:',
    '%{i}',
    ' redirect=',
    '-all',
    'v=DKIM1',
    '; p=',
    'v=DMARC1',
    '; p=none',
  ],
  ...[
    'mailstead-verify=',
    '<script>alert(1)</script>',
    '"',
    '\\',
    '\0',
    '\u202e',
    '\ufeff',
    '\u{1f4a9}',
  ],
]
/** One string of a TXT record: words that mean something, and any bytes at all. */
const piece = fc
  .array(
    fc.oneof(
      fc.constantFrom(...words).map((word) => Buffer.from(word)),
      fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
    ),
    { maxLength: 6 },
  )
  .map((parts) => Buffer.concat(parts).subarray(0, 255))
const values = fc.array(fc.array(piece, { minLength: 1, maxLength: 3 }), { maxLength: 3 })

const anOwner = async (name: string) => {
  const user = await aUser(app)
  const { id: workspaceId } = await aWorkspace(app, { members: [{ user, role: 'Admin' }] })
  const who = { userId: user.id, sessionId: newId(), workspaceId, role: 'Admin', ip: '' } as const
  const { _id: id } = await addDomain(app, who, { name })
  return { who, id, workspaceId }
}

test('no bytes in any answer stop a check, and what it stores reads as sentences', async () => {
  const { who, id, workspaceId } = await anOwner(DOMAIN)
  const read = async (): Promise<DnsRecord[]> => [
    await ownershipRecord(app, who, id),
    ...(await dnsRecords(app, who, id)),
  ]
  const check = () => checkDomain(app, { id, workspaceId }, 'all')
  const [proof, , dkim] = await read()
  world.set(proof?.name ?? '', 'TXT', [proof?.value ?? ''])
  await check()
  const asked = [DOMAIN, proof?.name ?? '', dkim?.name ?? '', `_dmarc.${DOMAIN}`]
  const near = ['www', `_dmarc.${DOMAIN}`, '*', 'mailstead', 'dmarc'].map(
    (host) => `${host}.${DOMAIN}`,
  )
  const names = [...asked, ...near]
  await fc.assert(
    fc.asyncProperty(fc.array(values, { maxLength: names.length }), async (given) => {
      for (const [at, name] of names.entries())
        if (given[at]?.length) world.set(name, 'TXT', given[at])
        else world.remove(name, 'TXT')
      await check()
      for (const record of await read()) {
        dnsRecord.parse(record)
        const { explanation, fix, found, value, sightings } = record
        if (record.state !== 'verified') expect(explanation).toMatch(/[.…]$/)
        const seen = [...(sightings?.published ?? []), ...(sightings?.visible ?? [])]
        for (const text of [
          explanation,
          fix,
          value,
          ...found,
          ...seen.flatMap((each) => each.values),
        ])
          expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u)
      }
    }),
    { numRuns: 15 },
  )
})

test('names that no host can have stop no check either, and are shown without controls', async () => {
  const name = 'hostile-names.example'
  const { who, id, workspaceId } = await anOwner(name)
  const odd = 'n\0s\u202e\r\n<b>'
  world.zone(name)
  world.set(name, 'NS', [`ns1.${name}`, `${odd}.${name}`])
  world.set(`_dmarc.${name}`, 'CNAME', [`${odd}.${name}`])
  const setting = await dnsSetting(app, who, id)
  await checkDomain(app, { id, workspaceId }, 'all')
  const records = [await ownershipRecord(app, who, id), ...(await dnsRecords(app, who, id))]
  expect(setting.nameServers).toEqual([`ns1.${name}`, `n\ufffds\ufffd\ufffd\ufffd<b>.${name}`])
  expect(records[0]?.checkedAt).not.toBeNull()
  const texts = JSON.stringify(records, (_, value) =>
    typeof value === 'string' && /[\p{Cc}\p{Cf}]/u.test(value) ? 'a control' : value,
  )
  expect(texts).toContain('n\ufffds')
  expect(texts).not.toContain('a control')
})
