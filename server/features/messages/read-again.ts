/**
 * What could be read only in part when it was filed is read again, with more time: the text of a mail is not lost to a busy moment
 * (decision 041).
 */
import type { App } from '#server/app.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { readDigestAgain } from '#server/standards/reading/read-message.ts'
import { announceMailSoon } from './announce-mail.ts'
import { lockMailboxRow } from './changes-store.ts'
import {
  claimPartial,
  forgetPartial,
  type PartialMessage,
  putDigest,
} from './read-in-part-store.ts'

const AT_ONCE = 50
/** After each try that was not enough; then it stays as it is, which only happens to mail that was made for it. */
const WAIT_SECONDS = [600, 6 * 3_600, 24 * 3_600]

export const readAgain = async (app: App): Promise<void> => {
  for (let n = 0; n < AT_ONCE; n++) {
    const now = app.clock.now()
    const message = await claimPartial(app.db, now, (tries) =>
      secondsAfter(now, WAIT_SECONDS[tries] ?? WAIT_SECONDS[0] ?? 0),
    )
    if (message === undefined) return
    await readOne(app, message)
  }
}

const readOne = async (app: App, message: PartialMessage): Promise<void> => {
  const { workspaceId, mailboxId, blob, tries } = message
  const digest = await readDigestAgain(await app.blobs.get(blob), workspaceId)
  if (digest === null && tries < WAIT_SECONDS.length) return
  await app.db.transaction().execute(async (tx) => {
    await lockMailboxRow(tx, mailboxId)
    if (digest !== null && digest !== 'too-deep') await putDigest(tx, message, digest)
    await forgetPartial(tx, message)
  })
  announceMailSoon(app, { workspaceId, mailboxId })
}
