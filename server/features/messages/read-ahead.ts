/** Several messages in one answer, for a page that shows their rows. Never more than what it costs to open a few. */
import { AppError } from '#contract/errors.ts'
import { MAX_AHEAD, type readAhead as readAheadRoute } from '#contract/mail/conversations.ts'
import type { Output } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { openMailbox } from '#server/features/mailboxes/open-mailbox.ts'
import { getConversation } from './conversations.ts'
import { openMessage, readMessage } from './get-message.ts'

/** As they are stored. The page reads larger ones when they are opened. */
const MOST_BYTES_EACH = 200_000
const MOST_BYTES = 1_000_000

type Ahead = Output<typeof readAheadRoute>

export const readAhead = async (
  app: App,
  who: Who,
  mailboxId: string,
  messages: string,
): Promise<Ahead> => {
  await openMailbox(app, who, mailboxId)
  const ahead: Ahead = []
  let bytes = 0
  // One after the other: nobody waits for these, and others read meanwhile.
  for (const id of new Set(messages.split(',').slice(0, MAX_AHEAD))) {
    const row = await openMessage(app, who, mailboxId, id).catch(ifGone)
    if (row === null || row.sizeBytes > MOST_BYTES_EACH) continue
    bytes += row.sizeBytes
    if (bytes > MOST_BYTES) break
    const [message, conversation] = await Promise.all([
      readMessage(app, who, row),
      getConversation(app, who, mailboxId, id).catch(ifGone),
    ])
    if (conversation) ahead.push({ message, conversation })
  }
  return ahead
}

const ifGone = (error: unknown): null => {
  if (error instanceof AppError && error.type === 'NOT_EXISTS') return null
  throw error
}
