/**
 * smtp-server times out silent clients, but not slow ones: a client that sends one byte every few minutes would keep its place
 * for ever. So each message must arrive within a time that is enough for any real connection.
 */
import type { SMTPServerSession } from 'smtp-server'

export type Patience = {
  begin: (session: SMTPServerSession) => void
  /** A whole message has arrived: the time for the next one starts. */
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
