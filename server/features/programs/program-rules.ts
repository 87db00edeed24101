/** Whether mail programs of a workspace need app passwords. */
import type { ProgramRules } from '#contract/workspace/mail-programs.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { readWorkspace, setNeedsAppPasswords } from '#server/features/tenants/workspace-queries.ts'
import { announceChange, announceSessionsEnded } from '#server/storage/notifications.ts'

export const getProgramRules = async (
  { db }: Pick<App, 'db'>,
  { workspaceId }: Pick<Who, 'workspaceId'>,
): Promise<ProgramRules> => {
  const { needsAppPasswords } = await readWorkspace(db, workspaceId)
  return { needsAppPasswords }
}

/** Programs that use the password of a holder are signed out at once. */
export const saveProgramRules = (
  app: Pick<App, 'db'>,
  { workspaceId }: Pick<Who, 'workspaceId'>,
  rules: ProgramRules,
): Promise<ProgramRules> =>
  app.db.transaction().execute(async (tx) => {
    await setNeedsAppPasswords(tx, workspaceId, rules.needsAppPasswords)
    await announceChange(tx, { topic: 'workspaces', workspaceId })
    if (rules.needsAppPasswords) await announceSessionsEnded(tx)
    return rules
  })
