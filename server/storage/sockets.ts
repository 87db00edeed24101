/** All sockets of this process to PostgreSQL, so that they can be destroyed when it stops answering. */
import { Socket } from 'node:net'
import type pg from 'pg'

export type Sockets = {
  /** Connection settings that register their sockets: for the pool, the job runner's pool, and single connections. */
  tracked(connection: pg.ClientConfig): pg.ClientConfig
  /** Waiting queries fail at once; pools open new sockets. */
  cutAll(): void
}

/** Detects a peer that disappeared. */
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
