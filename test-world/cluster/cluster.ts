/**
 * A whole installation on seven hosts: two of the product, two of PostgreSQL and a third for etcd, a store, and a balancer in front.
 * Outside are the DNS, another mail server, and the people.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aDnsServer, type TestDns } from '../dns/dns-server.ts'
import { startSwift } from '../object-store/swift.ts'
import { ELSEWHERE, MAIL_HOST, mailsAt, NO_BRAKES, type Product } from '../product.ts'
import { aSmtpPeer, type PeerMessage, type SmtpPeer } from '../smtp/smtp-peer.ts'
import { startFront } from './balancers.ts'
import { type DatabaseCluster, startDatabaseCluster } from './database-cluster.ts'
import { type Host, type Network, OUTSIDE, openNetwork } from './hosts.ts'
import { aProductHost, type ProductHost } from './product-host.ts'
import { isAnswering, soon } from './soon.ts'

const NAMES = ['product-1', 'product-2', 'db-1', 'db-2', 'db-3', 'store', 'front'] as const
type Name = (typeof NAMES)[number]

/** What the processes say; it stays after the trial. */
export const LOGS = join(import.meta.dirname, '../../.test/cluster')

export type Cluster = {
  network: Network<Name>
  databases: DatabaseCluster
  products: readonly [ProductHost, ProductHost]
  store: { die(): Promise<void>; start(): Promise<void> }
  dns: TestDns
  peer: SmtpPeer
  mailTo: Product['mailTo']
  /** How often a mail came to each address outside. */
  arrivals: ReadonlyMap<string, number>
  /** Through the balancer. */
  url: string
  /** Of the balancer. */
  address: string
  /** All is there that was there at the start. */
  isWhole(): Promise<boolean>
  [Symbol.asyncDispose](): Promise<void>
}

export const startCluster = async (): Promise<Cluster> => {
  await using undo = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'mailstead-test-cluster-'))
  rmSync(LOGS, { recursive: true, force: true })
  mkdirSync(LOGS, { recursive: true })
  const network = await openNetwork(NAMES)
  undo.defer(() => network.close())
  const { 'db-1': one, 'db-2': two, 'db-3': three, store, front } = network.hosts
  const pair = [one, two] as const
  const databases = await startDatabaseCluster({
    etcd: [one, two, three],
    postgres: pair,
    logs: LOGS,
  })
  undo.defer(() => databases.close())
  const swift = await startSwift(store)
  undo.defer(() => swift.close())
  // It answers a little before all of its parts do.
  const isMade = () =>
    swift.makeBucket('mail').then(
      () => true,
      () => false,
    )
  await soon('a bucket', isMade)
  const { dns, peer, arrivals } = await outside()
  undo.defer(async () => void (await Promise.all([dns.close(), peer.close()])))
  const settings = {
    ...{ DATABASE_URL: databases.urlAt('127.0.0.1'), BLOB_URL: swift.url('mail') },
    ...{ ...settingsFor(front, dns, peer), ...NO_BRAKES },
  }
  const aHost = (host: Host) =>
    aProductHost(host, pair, { folder: join(folder, 'data'), logs: LOGS, settings })
  const products = [aHost(network.hosts['product-1']), aHost(network.hosts['product-2'])] as const
  for (const product of products) {
    // The first one makes the tables.
    product.start()
    undo.defer(() => product.die())
    await soon(product.host.name, product.isWhole)
  }
  startFront(front, [products[0].host, products[1].host])
  const url = `http://${front.address}:8080`
  const isServed = () => isAnswering(`${url}/healthz`)
  await soon('the balancer', isServed)
  const all = undo.move()
  return {
    ...{ network, databases, products, dns, peer, arrivals, mailTo: mailsAt(peer), url },
    store: { die: () => store.die(), start: swift.start },
    address: front.address,
    isWhole: async () => {
      const parts = [databases.isWhole(), isServed(), ...products.map((each) => each.isWhole())]
      return (await Promise.all(parts)).every((isWell) => isWell)
    },
    [Symbol.asyncDispose]: async () => {
      await all.disposeAsync()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const outside = async () => {
  const dns = await aDnsServer({ host: OUTSIDE })
  const arrivals = new Map<string, number>()
  const onMessage = ({ to }: PeerMessage) => {
    for (const each of to) arrivals.set(each, (arrivals.get(each) ?? 0) + 1)
  }
  const peer = await aSmtpPeer({ host: OUTSIDE, onMessage })
  dns.zone(ELSEWHERE, OUTSIDE)
  dns.set(ELSEWHERE, 'MX', [`10 mx.${ELSEWHERE}`])
  dns.set(`mx.${ELSEWHERE}`, 'A', [OUTSIDE])
  dns.zone('mailstead.example', OUTSIDE)
  dns.set(MAIL_HOST, 'A', [OUTSIDE])
  const zone = (name: string) => dns.zone(name, OUTSIDE)
  return { dns: { ...dns, zone }, peer, arrivals }
}

const settingsFor = (front: Host, dns: TestDns, peer: SmtpPeer) => ({
  ...{ DNS_SERVERS: dns.address, DNS_PORT: String(dns.port), MX_PORT: String(peer.port) },
  ...{ MAIL_HOST, MAIL_IPS: '192.0.2.25', SYSTEM_MAIL: 'send', UNDO_SECONDS: '0' },
  ...{ PUBLIC_URL: `https://${MAIL_HOST}`, TRUSTED_PROXIES: front.address },
  PROXY_PROTOCOL: front.address,
  ...{ SECRET: 'one secret of all hosts, forty characters long', BILLING: 'off' },
  ...{ ALLOW_LOOPBACK_PEERS: 'on', LOG_LEVEL: 'info' },
})
