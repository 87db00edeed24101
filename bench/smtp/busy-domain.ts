/** Shared by the SMTP measurements: a domain with mailboxes, and the product that receives its mail. */
import type { Database } from '#server/storage/database.ts'
import { aDomain, aMailbox, letRead, type Mailbox } from '#test-world/builders.ts'
import { aDnsServer } from '#test-world/dns/dns-server.ts'
import { aLivedInMailbox } from '../inbox-sample.ts'
import { aFolder, type Product, seed, startProduct } from '../product.ts'
import { anAdmin } from '../sample.ts'

export const DOMAIN = 'busy.example'
const OLD_MAIL = 20_000

export const boxes = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `box${n}@${DOMAIN}`)

/** Stops the product when `use` has ended. */
export const withBusyDomain = async <T>(
  mailboxes: number,
  use: (product: Product) => Promise<T>,
  settings: Record<string, string> = {},
): Promise<T> => {
  const { dataDir, remove } = aFolder()
  const dns = await aDnsServer()
  dns.zone('example.org')
  try {
    await seed(dataDir, async (world) => {
      await fillBusyDomain(world, mailboxes)
    })
    const product = await startProduct(dataDir, {
      ...{ DNS_SERVERS: dns.address, DNS_PORT: String(dns.port) },
      ...settings,
    })
    try {
      return await use(product)
    } finally {
      await product.stop()
    }
  } finally {
    await dns.close()
    remove()
  }
}

/** Returns the first of its mailboxes, which the Admin reads. */
export const fillBusyDomain = async (
  world: { db: Database; clock: { now(): Date } },
  mailboxes: number,
): Promise<Mailbox> => {
  const admin = await anAdmin(world)
  const { user, workspace } = admin
  // As on an installation with mail: PostgreSQL's plans depend on its statistics.
  await aLivedInMailbox(world, admin, { name: 'quiet', count: OLD_MAIL, blobs: [''] })
  const domain = await aDomain(world, { workspaceId: workspace.id, name: DOMAIN, active: true })
  const made: Mailbox[] = []
  for (let n = 0; n < mailboxes; n++)
    made.push(await aMailbox(world, { domain, localPart: `box${n}` }))
  const [first] = made
  if (first === undefined) throw new Error('there is no mailbox')
  await letRead(world, first, user.id)
  return first
}
