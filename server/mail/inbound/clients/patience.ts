/**
 * Silent clients are timed out by smtp-server. Slow ones are not: who says one byte every few minutes is never silent, and
 * would keep its place for ever. So each message must be there in a time that suffices for any honest line.
 */
import type { SMTPServer, SMTPServerSession } from 'smtp-server'

export type Patience = {
  begin: (session: SMTPServerSession) => void
  /** A whole message is there: the time for the next one begins. */
  heard: (session: SMTPServerSession) => void
  end: (session: SMTPServerSession) => void
}

export const patience = (server: () => SMTPServer, messageMs: number): Patience => {
  const timers = new Map<string, NodeJS.Timeout>()
  const cut = (id: string) => {
    for (const connection of server().connections)
      if (connection.id === id) connection.send(421, 'You are too slow: closing the connection')
  }
  return {
    begin: ({ id }) => {
      timers.set(id, setTimeout(cut, messageMs, id).unref())
    },
    heard: ({ id }) => void timers.get(id)?.refresh(),
    end: ({ id }) => {
      clearTimeout(timers.get(id))
      timers.delete(id)
    },
  }
}
