/**
 * Silent clients are timed out by smtp-server. Slow ones are not: who says one byte every few minutes is never silent, and
 * would keep its place for ever. So each message must be there in a time that suffices for any honest line.
 */
import type { SMTPServerSession } from 'smtp-server'

export type Patience = {
  begin: (session: SMTPServerSession) => void
  /** A whole message is there: the time for the next one begins. */
  heard: (session: SMTPServerSession) => void
  end: (session: SMTPServerSession) => void
}

export const TOO_SLOW = 'You are too slow: closing the connection'

export const patience = (
  cut: (id: string, reason: string) => void,
  messageMs: number,
): Patience => {
  const timers = new Map<string, NodeJS.Timeout>()
  return {
    begin: ({ id }) => {
      timers.set(id, setTimeout(cut, messageMs, id, TOO_SLOW).unref())
    },
    heard: ({ id }) => void timers.get(id)?.refresh(),
    end: ({ id }) => {
      clearTimeout(timers.get(id))
      timers.delete(id)
    },
  }
}
