/** The set-up of tests of outgoing mail: names that lead to peers on loopback, one mailbox, and its queue. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Selectable } from 'kysely'
import type { Config } from '#server/config.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { enqueueMessage } from '#server/features/outbox/enqueue-message.ts'
import { openDns } from '#server/lib/dns/dns-client.ts'
import { type Outbound, type OutboundOptions, startOutbound } from '#server/mail/outbound/worker.ts'
import type { DeliveriesTable, DeliveryAttemptsTable } from '#server/storage/rows/outbox-tables.ts'
import { anApp, type TestApp } from '../app.ts'
import { aMailbox, type Mailbox } from '../builders.ts'
import { aDnsServer, type TestDns } from '../dns/dns-server.ts'
import { aMember, anActiveDomain } from '../members.ts'
import { aSmtpPeer, type PeerOptions, type SmtpPeer } from '../smtp/smtp-peer.ts'

/** Only what hangs is ended: a busy machine may take long. */
const MOST_LOOKS = 5_000

export const RAW = Buffer.from('Subject: x\r\nMessage-ID: <x@y>\r\n\r\nbody\r\n')

export type OutgoingWorld = {
  app: TestApp
  dns: TestDns
  /** At 127.0.0.1; receives the mail for example.net. */
  peer: SmtpPeer
  who: Who
  mailbox: Mailbox
  /** Starts another host, `{name}.example.org`, at this address and on the port of the first peer. */
  host(name: string, ip: string, options?: PeerOptions): Promise<SmtpPeer>
  send(recipients: string | string[], raw?: Buffer): Promise<string>
  /** Stops the present worker and starts a new one. */
  work(options?: Partial<OutboundOptions>, config?: Partial<Config>): Promise<void>
  rest(): Promise<void>
  deliveries(): Promise<Selectable<DeliveriesTable>[]>
  ledger(): Promise<Selectable<DeliveryAttemptsTable>[]>
  /** Polls until the condition holds; returns the deliveries. */
  until(
    isSo: (deliveries: Selectable<DeliveriesTable>[]) => boolean,
  ): Promise<Selectable<DeliveriesTable>[]>
  /** Deletes all mail, and resets the behaviour and the hosts. */
  clear(): Promise<void>
  close(): Promise<void>
}

export const anOutgoingWorld = async (config: Partial<Config> = {}): Promise<OutgoingWorld> => {
  const [dns, peer] = [await aDnsServer(), await aSmtpPeer()]
  const app = await anApp({
    dns: openDns({
      ...{ servers: [dns.address], port: dns.port },
      ...{ allowLoopbackPeers: true, timeoutMs: 10_000 },
    }),
    config: { mxPort: peer.port, systemMail: 'send', ...config },
  })
  for (const name of ['example.net', 'example.org']) dns.zone(name)
  dns.set('example.net', 'MX', ['10 mx.example.net'])
  dns.set('mx.example.net', 'A', ['127.0.0.1'])
  const who = await aMember(app)
  const mailbox = await aMailbox(app, { domain: await anActiveDomain(app, who), localPart: 'ada' })
  const others: SmtpPeer[] = []
  let worker: Outbound | null = null
  const world: OutgoingWorld = {
    app,
    dns,
    peer,
    who,
    mailbox,
    host: async (name, ip, options = {}) => {
      const other = await aSmtpPeer({ ...options, host: ip, port: peer.port })
      others.push(other)
      dns.set(`${name}.example.org`, ip.includes(':') ? 'AAAA' : 'A', [ip])
      return other
    },
    send: (recipients, raw = RAW) =>
      enqueueMessage(app, app.db, {
        ...{ workspaceId: mailbox.workspaceId, mailboxId: mailbox.id, mailFrom: mailbox.email },
        ...{ recipients: [recipients].flat(), raw },
      }),
    work: async (options = {}, changed = {}) => {
      await world.rest()
      worker = startOutbound({ ...app, config: { ...app.config, ...changed } }, options)
    },
    rest: async () => {
      await worker?.close()
      worker = null
    },
    deliveries: () =>
      app.db.selectFrom('deliveries').selectAll().orderBy('createdAt').orderBy('id').execute(),
    ledger: () => app.db.selectFrom('deliveryAttempts').selectAll().orderBy('at').execute(),
    until: async (isSo) => {
      for (let n = 0; n < MOST_LOOKS; n++) {
        const rows = await world.deliveries()
        if (isSo(rows)) return rows
        await wait(20)
      }
      const rows = await world.deliveries()
      const seen = rows.map(({ recipient, status, lastReply }) => [recipient, status, lastReply])
      throw new Error(`never came: ${JSON.stringify(seen.slice(0, 20))}`)
    },
    clear: async () => {
      await world.rest()
      for (const other of others.splice(0)) await other.close()
      peer.hangUp()
      peer.behave = () => undefined
      peer.messages.length = 0
      peer.connections = 0
      await app.db.deleteFrom('outboxMessages').execute()
      await app.db.deleteFrom('messages').execute()
      await app.db.deleteFrom('stsPolicies').execute()
    },
    close: async () => {
      await world.clear()
      await peer.close()
      await dns.close()
      await app.close()
    },
  }
  return world
}

export const areAll =
  (...wanted: string[]) =>
  (rows: { status: string }[]): boolean =>
    rows.length > 0 && rows.every(({ status }) => wanted.includes(status))
