import { afterAll, beforeAll, expect, it } from 'vitest'
import type { App } from '#server/app.ts'
import { openDns } from '#server/lib/dns/dns-client.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDnsServer, type TestDns } from '#test-world/dns/dns-server.ts'
import { aMember } from '#test-world/members.ts'
import { aSmtpPeer, type SmtpPeer } from '#test-world/smtp/smtp-peer.ts'
import { installationFaults, namesAtFault, portAtFault } from './installation-faults.ts'

const HOST = 'mail.host.example'
const IP = '192.0.2.25'

let world: TestDns
let peer: SmtpPeer
let app: TestApp
beforeAll(async () => {
  world = await aDnsServer()
  peer = await aSmtpPeer()
  for (const zone of ['host.example', '2.0.192.in-addr.arpa']) world.zone(zone)
  const dns = openDns({ servers: [world.address], port: world.port, allowLoopbackPeers: true })
  app = await anApp({ dns, config: { mailHost: HOST, mailIps: [IP], mxPort: peer.port } })
})
afterAll(async () => {
  await app.close()
  await Promise.all([world.close(), peer.close()])
})

const withIps = (mailIps: string[]): App => ({ ...app, config: { ...app.config, mailIps } })

it('names an address and a reverse name that do not fit, until they do', async () => {
  expect(await namesAtFault(app)).toEqual([
    `Its name ${HOST} has no address in DNS, so no mail can come to it.`,
  ])
  world.set(HOST, 'A', ['192.0.2.7'])
  expect(await namesAtFault(app)).toEqual([
    `It sends from ${IP}, but its name ${HOST} has another address.`,
    `The reverse name of ${IP} is not ${HOST}: other servers may refuse its mail.`,
  ])
  world.set(HOST, 'A', [IP])
  world.set('25.2.0.192.in-addr.arpa', 'PTR', ['host-25.provider.example'])
  const [reverse] = await namesAtFault(withIps([]))
  expect(reverse).toContain(`The reverse name of ${IP} is not ${HOST}`)
  world.set('25.2.0.192.in-addr.arpa', 'PTR', [HOST])
  expect(await namesAtFault(app)).toEqual([])
})

it('knows nothing while DNS does not answer', async () => {
  const noDns = { ...app, dns: { ...app.dns, lookUp: async () => failed } }
  expect(await namesAtFault(noDns)).toEqual([])
})

const failed = { outcome: 'failed' as const, reason: 'silent', servers: [] }

it('tries a connection to the servers that have the mail now; one that opens is enough', async () => {
  world.set('mx.host.example', 'A', ['127.0.0.1'])
  expect(await portAtFault(app, ['gone.host.example', 'mx.host.example'])).toEqual([])
  const closed = { ...app, config: { ...app.config, mxPort: 1 } }
  expect(await portAtFault(closed, ['mx.host.example'])).toEqual([
    'It cannot connect to port 1 of mx.host.example: the network may block outgoing mail.',
  ])
})

it('says nothing in the world of tests and in a trial, where it looks at nothing', async () => {
  const who = await aMember(app)
  const asked = world.queries.length
  expect(await installationFaults(app, who)).toEqual([])
  const trial = { ...app, config: { ...app.config, allowLoopbackPeers: false } }
  expect(await installationFaults(trial, who)).toEqual([])
  expect(world.queries.length).toBe(asked)
})
