/**
 * Lets mail that was stored before searches folded letters be found without its accents, newest first, a few hundred messages at a
 * time (decision 066).
 */
import type { App } from '#server/app.ts'
import { endFolding, foldTexts, lockFolding, nextTexts, noteFolded } from './fold-texts-store.ts'

/** Of one look: the loop looks every two seconds, and a text takes the database up to a few milliseconds. */
const AT_ONCE = 200

/** For a loop. Does nothing once all mail has been folded, or while another process does it. */
export const foldOldTexts = (app: App): Promise<void> =>
  app.db.transaction().execute(async (tx) => {
    const below = await lockFolding(tx)
    if (below === undefined) return
    const ids = await nextTexts(tx, below, AT_ONCE)
    const lowest = ids.at(-1)
    if (lowest === undefined) await endFolding(tx)
    else if (await foldTexts(tx, ids)) await noteFolded(tx, lowest)
  })
