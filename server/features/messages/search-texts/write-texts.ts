/** Lets filed mail be found: its searched text is written a moment after the mail, many at once (decision 087). */
import type { App } from '#server/app.ts'
import { isDatabaseAway } from '#server/storage/database-away.ts'
import { areTextsWaiting, leaveFirstOut, writeTexts } from './texts-store.ts'

/** Of one statement: a text takes the database about a millisecond. */
const AT_ONCE = 200

/** For a loop. */
export const writeWaitingTexts = async (app: App, isClosing: () => boolean): Promise<void> => {
  while (!isClosing() && (await writeSome(app)) > 0);
}

/** A text that PostgreSQL cannot make (there is none known) must not hold up those of all mailboxes: it is left out, and logged. */
const writeSome = async (app: App): Promise<number> => {
  try {
    return await writeTexts(app.db, AT_ONCE)
  } catch (error) {
    if (isDatabaseAway(error)) throw error
  }
  return writeTexts(app.db, 1).catch(async (error: unknown) => {
    if (isDatabaseAway(error)) throw error
    const messageId = await leaveFirstOut(app.db)
    app.log.error({ err: error, messageId }, 'the text of a message cannot be searched')
    return 1
  })
}

/** Statements before a search, so that an import of a large mailbox does not hold it up: the rest follows by the loop. */
const MOST_BEFORE_SEARCH = 10

/** Before a search in this mailbox: new mail is found at once. */
export const writeTextsOf = async (
  app: App,
  mailbox: { workspaceId: string; mailboxId: string },
): Promise<void> => {
  for (let times = 0; times < MOST_BEFORE_SEARCH; times++) {
    if (!(await areTextsWaiting(app.db, mailbox))) return
    if ((await writeTexts(app.db, AT_ONCE, mailbox)) === 0) return
  }
}
