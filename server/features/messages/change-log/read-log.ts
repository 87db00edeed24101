/** One look at a mailbox's change log, of one moment. */
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { readLogEnds } from '#server/features/mailboxes/folder-queries.ts'
import { openMailbox } from '#server/features/mailboxes/open-mailbox.ts'
import type { Db } from '#server/storage/database.ts'
import type { Place } from '../bulk-store.ts'

export type LogView = {
  /** A snapshot: everything that is read with it is of one moment. */
  tx: Db
  place: Place
  modseq: number
  /**
   * false: the log does not reach back to this modseq, or the number is of another time (a restored database). The caller then
   * reads everything again.
   */
  isKnown: (since: number) => boolean
}

/** @throws NOT_EXISTS, FORBIDDEN */
export const readLog = async <Answer>(
  app: App,
  who: Who,
  mailboxId: string,
  read: (view: LogView) => Promise<Answer>,
): Promise<Answer> => {
  await openMailbox(app, who, mailboxId)
  const place = { workspaceId: who.workspaceId, mailboxId }
  return app.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const ends = await readLogEnds(tx, place)
      if (ends === undefined) throw new AppError('NOT_EXISTS')
      const { modseq, forgottenModseq } = ends
      const isKnown = (since: number) => since >= forgottenModseq && since <= modseq
      return read({ tx, place, modseq, isKnown })
    })
}
