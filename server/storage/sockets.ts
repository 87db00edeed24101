/** Every socket of this process to PostgreSQL, so that all can be cut when it no longer answers. */
import { Socket } from 'node:net'
import type pg from 'pg'

export type Sockets = {
  /** For whatever connects: the pool, the job runner's, single connections. */
  tracked(connection: pg.ClientConfig): pg.ClientConfig
  /** What waits on them fails at once; pools open new ones. */
  cutAll(): void
}

/** Of a peer that went without a word. */
const KEEP_ALIVE_AFTER_MS = 10_000

export const trackSockets = (): Sockets => {
  const open = new Set<Socket>()
  const stream = () => {
    const socket = new Socket()
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    return socket
  }
  return {
    tracked: (connection) => ({
      ...connection,
      stream,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    }),
    cutAll: () => {
      for (const socket of open) socket.destroy()
    },
  }
}
