/** Knows a mailbox by the change log alone, as a mail program or a page without connection would. */
import type { MailboxChanges } from '#contract/mail/changes.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { changesSince } from '#server/features/messages/change-log/changes-since.ts'
import type { TestApp } from '../../app.ts'

/** What the reader knows of a message; all of it changes under a new modseq. */
export type Known = {
  folder: string
  thread: string
  isRead: boolean
  isStarred: boolean
  isAnswered: boolean
  isForwarded: boolean
  preview: string
}

export type LogReader = {
  known: Map<string, Known>
  /** Asks once, for at most `limit` changes. @returns whether the answer was complete. */
  readOn(limit: number): Promise<boolean>
  /** Asks until an answer is complete. */
  catchUp(limit: number): Promise<void>
}

export const aLogReader = (app: TestApp, who: Who, mailboxId: string): LogReader => {
  const known = new Map<string, Known>()
  let since = 0
  let after: string | undefined
  const readOn = async (limit: number): Promise<boolean> => {
    const answer = await changesSince(app, who, mailboxId, { since, after, limit })
    if (answer.isForgotten) throw new Error(`the log of modseq ${since} is forgotten`)
    apply(known, answer)
    if (answer.modseq < since) throw new Error(`modseq ${answer.modseq} came after ${since}`)
    since = answer.modseq
    after = answer.after ?? undefined
    return after === undefined
  }
  return {
    known,
    readOn,
    catchUp: async (limit) => {
      while (!(await readOn(limit)));
    },
  }
}

const apply = (known: Map<string, Known>, { changed, gone }: MailboxChanges): void => {
  const steps = [
    ...gone.map((each) => ({ modseq: each.modseq, gone: each })),
    ...changed.map((each) => ({ modseq: each.modseq, changed: each })),
  ].toSorted((a, b) => a.modseq - b.modseq)
  for (const step of steps)
    if ('gone' in step) {
      if (known.get(step.gone._id)?.folder === step.gone.folder) known.delete(step.gone._id)
    } else {
      const { _id, folder, thread, isRead, isStarred, isAnswered, isForwarded, preview } =
        step.changed
      known.set(_id, { folder, thread, isRead, isStarred, isAnswered, isForwarded, preview })
    }
}

/** The mailbox as its rows have it. */
export const readWhole = async (app: TestApp, mailboxId: string): Promise<Map<string, Known>> => {
  const rows = await app.db
    .selectFrom('messages')
    .selectAll()
    .where('mailboxId', '=', mailboxId)
    .execute()
  return new Map(
    rows.map(({ id, folderId, threadId, isRead, isStarred, isAnswered, keywords, preview }) => [
      id,
      {
        ...{ folder: folderId, thread: threadId, isRead, isStarred, isAnswered, preview },
        isForwarded: keywords.includes('$Forwarded'),
      },
    ]),
  )
}
