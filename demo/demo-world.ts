/** The environment of the product in the demo: a folder, a PostgreSQL, a DNS server and other mail servers, all temporary. */
import { readConfig } from '#server/config.ts'
import { startEmbeddedPostgres } from '#server/storage/embedded-postgres/start-embedded-postgres.ts'
import { aDnsServer, type TestDns } from '#test-world/dns/dns-server.ts'
import { type CardStage, openCardStage } from './cards/card-stage.ts'
import { openSandbox, type Sandbox } from './sandbox/sandbox.ts'
import { makeThrowawayFolder, removeRemainders } from './throwaway-folder.ts'
import { type Elsewhere, openElsewhere } from './world/elsewhere.ts'
import { openSandboxZones, SECOND_IP } from './world/sandbox-zones.ts'

const MAIL_HOST = 'mail.mailstead.example'
const MAIL_IP = '192.0.2.25'

export type DemoWorld = {
  dns: TestDns
  sandbox: Sandbox
  elsewhere: Elsewhere
  /** null: invoices are paid by hand. */
  cards: CardStage | null
  /** Deleted at the end of the demo. */
  folder: string
  /** Settings for the product, in addition to its ports and PUBLIC_URL. */
  settings: Record<string, string>
  close(): Promise<void>
}

export const openDemoWorld = async (say: (line: string) => void): Promise<DemoWorld> => {
  await using undo = new AsyncDisposableStack()
  const cards = await openCardStage()
  undo.defer(async () => cards?.close())
  const removed = await removeRemainders()
  if (removed > 0)
    say(`Removed what ${removed} demo${removed > 1 ? 's' : ''} that did not end well left behind.`)
  const folder = await makeThrowawayFolder()
  undo.defer(() => folder.remove())
  // Nothing outlives the demo, so nothing needs a sync to disk.
  const postgres = await startEmbeddedPostgres({ dataDir: folder.path, isDurable: false })
  undo.defer(() => postgres.stop())
  const { connection } = postgres
  const dns = await aDnsServer()
  undo.defer(() => dns.close())
  // Some systems have only one loopback address: then every zone has one name server.
  const second = await aDnsServer({ port: dns.port, host: SECOND_IP }).catch(() => null)
  undo.defer(async () => second?.close())
  const zones = openSandboxZones(dns, second)
  zones.addZone('mailstead.example', true)
  zones.set(MAIL_HOST, 'A', [MAIL_IP])
  const elsewhere = await openElsewhere(zones)
  undo.defer(() => elsewhere.close())
  const settings = {
    DATA_DIR: folder.path,
    DATABASE_URL: urlOf(connection),
    DNS_SERVERS: dns.address,
    DNS_PORT: String(dns.port),
    MX_PORT: String(elsewhere.port),
    MAIL_HOST,
    MAIL_IPS: MAIL_IP,
    ...(cards?.settings ?? { BILLING: 'invoice' }),
    SELLER_NAME: 'Mailstead Demo Ltd',
    SELLER_ADDRESS: '1 Example Street; London EC1A 1AA; United Kingdom',
    SELLER_VAT_ID: 'GB 999 9999 73',
    SELLER_EMAIL: 'billing@mailstead.example',
    PAYMENT_DETAILS: 'This is a demo: please pay nothing.',
    ALLOW_LOOPBACK_PEERS: 'on',
    SYSTEM_MAIL: 'outbox',
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'error',
  }
  const opened = undo.move()
  return {
    dns,
    sandbox: openSandbox(zones),
    elsewhere,
    cards,
    folder: folder.path,
    settings,
    close: () => opened.disposeAsync(),
  }
}

/** The folder has no mailstead.env, and settings of this machine are not read. */
export const demoConfig = (world: DemoWorld, settings: Record<string, string>) => {
  const all = { ...world.settings, ...settings }
  return readConfig(all, world.folder)
}

type Connection = { host: string; user: string; password: string; database: string }

const urlOf = ({ host, user, password, database }: Connection): string =>
  `postgresql://${user}:${encodeURIComponent(password)}@${encodeURIComponent(host)}/${database}`
