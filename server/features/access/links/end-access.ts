import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { endHolder } from '#server/features/auth/holders/end-holder.ts'
import type { Who } from '#server/features/auth/who.ts'
import { personOf } from '#server/features/workspaces/person-of.ts'
import { writeDown } from '../log/access-log.ts'
import { changeAccess } from '../require-mailbox.ts'
import { endLinks } from './access-links-store.ts'

/** @throws NOT_EXISTS, also when it has just been used */
export const withdrawLink = (app: App, who: Who, id: string): Promise<void> =>
  changeAccess(app, who, id, async ({ tx, mailbox, caller }) => {
    const ended = { outcome: 'withdrawn' as const, endedAt: app.clock.now() }
    if (!(await endLinks(tx, who.workspaceId, mailbox.id, ended))) throw new AppError('NOT_EXISTS')
    await writeDown(app, tx, mailbox, { kind: 'link-withdrawn', actor: personOf(caller) })
  })

/** Nobody signs in with the address any more; the mail stays, and goes on arriving. @throws NOT_EXISTS without a holder */
export const revokeAccess = (app: App, who: Who, id: string): Promise<void> =>
  changeAccess(app, who, id, async ({ tx, mailbox, caller }) => {
    if (!(await endHolder(tx, mailbox.id))) throw new AppError('NOT_EXISTS')
    const ended = { outcome: 'withdrawn' as const, endedAt: app.clock.now() }
    await endLinks(tx, who.workspaceId, mailbox.id, ended)
    await writeDown(app, tx, mailbox, { kind: 'revoked', actor: personOf(caller) })
  })
