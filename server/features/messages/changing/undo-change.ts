import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/auth/who.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { isId } from '#server/lib/ids.ts'
import { learnFromMove } from '../junk/learn-from-move.ts'
import { foldersOf } from '../messages-store.ts'
import { applyChanges, selectMessages, takeChange } from './bulk-store.ts'
import { isDifferent, UNDO_SECONDS } from './change-messages.ts'
import { inMailbox } from './in-mailbox.ts'

const MOST_LEARNT = 50

/** Puts every message back as it was, but those that went elsewhere since. @throws NOT_EXISTS when it is too late. */
export const undoChange = async (
  app: App,
  who: Who,
  mailboxId: string,
  changeId: string,
): Promise<{ count: number }> =>
  inMailbox(app, who, mailboxId, async (tx, place) => {
    const since = secondsAfter(app.clock.now(), -UNDO_SECONDS)
    const change = isId(changeId) ? await takeChange(tx, place, changeId, since) : undefined
    if (change === undefined) throw new AppError('NOT_EXISTS')
    const { to, before: states } = change.changed
    const folders = await foldersOf(tx, place.workspaceId, mailboxId)
    const roleOf = new Map(folders.map(({ id, role }) => [id, role]))
    const known = new Map(states.map((state) => [state.id, state]))
    const found = await selectMessages(tx, place, { messageIds: [...known.keys()] })
    const changes = found.flatMap((message) => {
      const { folderId, isRead, isStarred } = known.get(message.id) ?? message
      const isElsewhere = message.folderId !== (to ?? folderId)
      // A folder that is gone takes nothing back.
      if (isElsewhere || !roleOf.has(folderId)) return []
      return [{ before: message, after: { folderId, isRead, isStarred } }]
    })
    const wanted = changes.filter(({ before, after }) => isDifferent(before, after))
    for (const { before, after } of wanted.slice(0, MOST_LEARNT))
      if (before.folderId !== after.folderId) {
        const [from, back] = [before, after].map(({ folderId }) => roleOf.get(folderId) ?? null)
        await learnFromMove(tx, place, before.id, { from: from ?? null, to: back ?? null })
      }
    await applyChanges(tx, wanted)
    return { count: wanted.length }
  })
