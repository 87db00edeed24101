/** Builders that the tests of mailboxes share. */
import type { Role } from '#contract/rights.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { newId } from '#server/lib/ids.ts'
import {
  aDomain,
  aMailbox,
  aUser,
  aWorkspace,
  type Domain,
  letRead,
  type Mailbox,
} from './builders.ts'

/** A signed-in user in a workspace of their own. */
export const aMember = async (
  app: Pick<App, 'db' | 'clock'>,
  role: Role = 'Admin',
): Promise<Who> => {
  const user = await aUser(app)
  const workspace = await aWorkspace(app, { members: [{ user, role }] })
  return {
    userId: user.id,
    sessionId: newId(),
    workspaceId: workspace.id,
    role,
    ip: '127.0.0.1',
  }
}

export const anActiveDomain = (
  app: Pick<App, 'db' | 'clock'>,
  who: Who,
  name?: string,
): Promise<Domain> =>
  aDomain(app, { workspaceId: who.workspaceId, active: true, ...(name && { name }) })

/** A user who may read a mailbox of their own workspace. */
export const aMailReader = async (
  app: Pick<App, 'db' | 'clock'>,
): Promise<{ who: Who; mailbox: Mailbox }> => {
  const who = await aMember(app)
  const mailbox = await aMailbox(app, { domain: await anActiveDomain(app, who) })
  await letRead(app, mailbox, who.userId)
  return { who, mailbox }
}
