/** A mailbox that writes to many at once: often its password is stolen. */
import { readFastest } from '../senders/senders-store.ts'
import type { Condition } from './condition.ts'

const MINUTE_MS = 60_000
const LOOKED_AT_MS = 15 * MINUTE_MS
/** The usual limit of recipients who were never written to before (decision 022): a thief comes to it in a minute. */
const MOST = 100

export const fastSender: Condition = {
  name: 'fast-sender',
  afterMinutes: 0,
  mend: 'npm run operator -- sender list names it. Where its owner does not know of it, the password is stolen: sender stop ADDRESS REASON ends its sending, user end-sessions signs the thief out, and an Admin of its workspace revokes the access and sets it up anew.',
  look: async ({ db, clock }) => {
    const since = new Date(clock.now().getTime() - LOOKED_AT_MS)
    const [fastest, ...others] = await readFastest(db, { since, least: MOST })
    if (fastest === undefined) return null
    const and = others.length === 0 ? '' : ` So it is with ${others.length} more.`
    return `A mailbox wrote to ${fastest} recipients outside in 15 minutes.${and}`
  },
}
