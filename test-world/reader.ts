/** A user of a running product who may read one mailbox: written into its database, signed in over the API. */
import { systemClock } from '#server/lib/clock.ts'
import { visitStorage } from '#server/storage/open-storage.ts'
import { aDomain, aMailbox, aUser, aWorkspace, letRead } from './builders.ts'
import { quickHash } from './people/quick-hash.ts'

export type Reader = { email: string; password: string; address: string; mailboxId: string }

const PASSWORD = 'Engine-No-1!'
const ignore = () => {}

export const aReader = async (dataDir: string): Promise<Reader> => {
  const events = { onError: ignore }
  const storage = await visitStorage({ databaseUrl: null, dataDir }, events)
  try {
    const world = { db: storage.db, clock: systemClock }
    const user = await aUser(world, { passwordHash: quickHash(PASSWORD) })
    const workspace = await aWorkspace(world, { members: [{ user, role: 'Admin' }] })
    const domain = await aDomain(world, { workspaceId: workspace.id, active: true })
    const mailbox = await aMailbox(world, { domain, localPart: 'ada' })
    await letRead(world, mailbox, user.id)
    return {
      email: user.email,
      password: PASSWORD,
      address: mailbox.email,
      mailboxId: mailbox.id,
    }
  } finally {
    await storage.close()
  }
}
