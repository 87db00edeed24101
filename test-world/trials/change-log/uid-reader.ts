/** Knows a folder by what changed in it since, as a mail program with CONDSTORE would. */
import type { Who } from '#server/features/accounts/who.ts'
import type { FlagsRow } from '#server/features/messages/by-uid/message-flags.ts'
import { changesInFolder, openFolder } from '#server/features/messages/by-uid/open-folder.ts'
import type { TestApp } from '../../app.ts'

export const aUidReader = (app: TestApp, who: Who, mailboxId: string, role: string) => {
  const known = new Map<number, FlagsRow>()
  let since = 0
  let last = 0
  const folderId = async (): Promise<string> =>
    (
      await app.db
        .selectFrom('folders')
        .select('id')
        .where('mailboxId', '=', mailboxId)
        .where('role', '=', role as 'inbox')
        .executeTakeFirstOrThrow()
    ).id
  const sync = async (): Promise<void> => {
    const answer = await changesInFolder(app, who, mailboxId, await folderId(), since)
    if (answer.isForgotten) throw new Error(`the log of modseq ${since} is forgotten`)
    if (answer.modseq < since) throw new Error(`modseq ${answer.modseq} came after ${since}`)
    for (const uid of answer.gone) known.delete(uid)
    for (const row of answer.changed) {
      if (row.modseq <= since) throw new Error('a message was told twice')
      if (!known.has(row.uid) && row.uid <= last) throw new Error(`uid ${row.uid} came back`)
      known.set(row.uid, row)
    }
    for (const { uid } of answer.changed) last = Math.max(last, uid)
    for (const uid of answer.gone) last = Math.max(last, uid)
    since = answer.modseq
  }
  return {
    sync,
    /** What is known after a last look, and what is there. */
    compared: async () => {
      await sync()
      const id = await folderId()
      const { uids, changed } = await openFolder(app, who, mailboxId, { folderId: id }, 0)
      if (changed.length !== uids.length) throw new Error('the folder does not know its messages')
      return { known: [...known.values()].toSorted((a, b) => a.uid - b.uid), there: changed }
    },
  }
}
