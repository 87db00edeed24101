/** Lets filed mail be found: its searched text is written a moment after the mail, many at once (decision 087). */
import type { App } from '#server/app.ts'
import { isDatabaseAway } from '#server/storage/database-away.ts'
import { leaveOut, type MailboxPlace, waitingTexts, writeTexts } from './texts-store.ts'

/** Of one statement: a text takes the database about a millisecond. */
const AT_ONCE = 200

/** For a loop. */
export const writeWaitingTexts = async (app: App, isClosing: () => boolean): Promise<void> => {
  while (!isClosing() && (await writeNext(app)) > 0);
}

/** Statements before a search, so that an import of a large mailbox does not hold it up: the rest follows by the loop. */
const MOST_BEFORE_SEARCH = 10

/** Before a search in this mailbox: new mail is found at once. */
export const writeTextsOf = async (app: App, mailbox: MailboxPlace): Promise<void> => {
  for (let times = 0; times < MOST_BEFORE_SEARCH; times++)
    if ((await writeNext(app, mailbox)) === 0) return
}

/** @returns how many no longer wait. */
const writeNext = async (app: App, mailbox?: MailboxPlace): Promise<number> => {
  const ids = await waitingTexts(app.db, AT_ONCE, mailbox)
  if (ids.length === 0) return 0
  try {
    return await writeTexts(app.db, ids)
  } catch (error) {
    if (isDatabaseAway(error)) throw error
    return writeOneByOne(app, ids)
  }
}

/** A text that PostgreSQL cannot make (there is none known) must not hold up the others: it is left out, and logged. */
const writeOneByOne = async (app: App, ids: readonly string[]): Promise<number> => {
  let count = 0
  for (const id of ids)
    count += await writeTexts(app.db, [id]).catch(async (error: unknown) => {
      if (isDatabaseAway(error)) throw error
      app.log.error({ err: error, messageId: id }, 'the text of a message cannot be searched')
      return leaveOut(app.db, id)
    })
  return count
}
