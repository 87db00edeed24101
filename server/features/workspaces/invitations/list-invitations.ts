import type { Invitation } from '#contract/workspace/invitations.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/auth/who.ts'
import { findOpenInvitations } from './invitations-store.ts'
import { toInvitation } from './to-invitation.ts'

/** Those that wait for an answer, newest first; also the ones that ran out, to be sent again. */
export const listInvitations = async (app: App, who: Who): Promise<Invitation[]> =>
  (await findOpenInvitations(app.db, who.workspaceId)).map(toInvitation)
