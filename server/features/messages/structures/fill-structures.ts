/**
 * Writes the structures of mail that was stored before they were, newest first, some hundred messages at a time (decision 090).
 * Until then each is read when it is asked for.
 */
import type { App } from '#server/app.ts'
import { writeStructure } from '#server/standards/imap-texts/write-structure.ts'
import { readUnlessLost } from './structures.ts'
import {
  endFilling,
  lockFilling,
  nextUnread,
  noteFilled,
  type ReadStructure,
  writeStructures,
} from './structures-store.ts'

/** Of one look: the loop looks every two seconds, and a mail takes a fraction of a millisecond. */
const AT_ONCE = 500
const MOST_BYTES = 20_000_000

/** For a loop. Does nothing once all mail has its structure, or while another process does it. */
export const fillStructures = (app: App): Promise<void> =>
  app.db.transaction().execute(async (tx) => {
    const below = await lockFilling(tx)
    if (below === undefined) return
    const next = await nextUnread(tx, { below, limit: AT_ONCE, mostBytes: MOST_BYTES })
    const lowest = next.at(-1)
    if (lowest === undefined) return endFilling(tx)
    const read: ReadStructure[] = []
    for (const { id, workspaceId, blob, structure } of next.filter(({ isRead }) => !isRead)) {
      const written =
        structure === null
          ? await readUnlessLost(app, workspaceId, blob)
          : writeStructure(JSON.parse(structure))
      // What is lost holds up no other mail.
      if (written !== null) read.push({ id, ...written })
    }
    await writeStructures(tx, read)
    await noteFilled(tx, lowest.id)
  })
