/** What the tests of mailboxes have in common. */
import type { Role } from '#contract/rights.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/auth/who.ts'
import { newId } from '#server/lib/ids.ts'
import { aDomain, aUser, aWorkspace, type Domain } from './builders.ts'

/** Somebody signed in, in a workspace of their own. */
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
