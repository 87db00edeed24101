import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDns } from '#server/lib/dns/dns-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDnsServer, type TestDns } from '#test-world/dns/dns-server.ts'
import { checkMailHost } from './mail-host.ts'

const HOST = 'mail.operator.example'
let dns: TestDns
let app: TestApp
beforeAll(async () => {
  dns = await aDnsServer()
  dns.zone('operator.example')
  dns.set(HOST, 'A', ['192.0.2.25'])
  app = await anApp({
    config: { mailHost: HOST, mailIps: ['192.0.2.25'] },
    dns: openDns({ servers: [dns.address], port: dns.port, allowLoopbackPeers: true }),
  })
})
afterAll(async () => {
  await app.close()
  await dns.close()
})

test('the operator is told what to publish, and nothing more once it is there', async () => {
  const lines = await checkMailHost(app)
  expect(lines).toHaveLength(3)
  for (const line of lines) {
    const [, name = '', value = ''] = /Publish: (\S+) TXT "(.*)"$/.exec(line) ?? []
    dns.set(name, 'TXT', [value.match(/.{1,255}/gs) ?? []])
  }
  expect(await checkMailHost(app)).toEqual([])
})

test('an SPF_INCLUDE that does not let us send is named', async () => {
  const including = { ...app, config: { ...app.config, spfInclude: '_spf.operator.example' } }
  const about = async () =>
    (await checkMailHost(including)).filter((line) => line.startsWith('SPF_INCLUDE'))
  expect(await about()).toEqual(['SPF_INCLUDE is _spf.operator.example, which has no SPF record.'])
  dns.set('_spf.operator.example', 'TXT', ['v=spf1 ip4:198.51.100.1 -all'])
  expect(await about()).toEqual([
    'SPF_INCLUDE is _spf.operator.example, which does not let 192.0.2.25 send (fail).',
  ])
  dns.set('_spf.operator.example', 'TXT', ['v=spf1 ip4:192.0.2.0/24 -all'])
  expect(await about()).toEqual([])
})

test('silence of DNS is no fault of the records', async () => {
  dns.behave(HOST, 'servfail')
  const lines = await checkMailHost(app)
  expect(lines.join()).not.toContain('Publish')
  dns.behave(HOST, null)
})
