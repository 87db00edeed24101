/** Why a brake on sending refused a message; nothing is lost by it. */
import { limitSentence, sendingLimit } from '#contract/mail/sending.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { formatMoment } from '#web/lib/format.ts'

const KEPT = 'What you wrote is still here, and you can save it as a draft.'

/** null for any other refusal. */
export function brakeRefusal(error: unknown): string | null {
  if (!(error instanceof ApiError)) return null
  if (error.type === 'MAILBOX_SENDING_STOPPED') return `${error.message} ${KEPT}`
  if (error.type !== 'SENDING_LIMIT') return null
  // The server says it in UTC; people read the time of their own clock.
  const limit = sendingLimit.safeParse(error.data)
  const text = limit.success ? limitSentence(limit.data, formatMoment) : error.message
  return `${text} ${KEPT}`
}
