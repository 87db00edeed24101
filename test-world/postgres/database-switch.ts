/** A port of TCP in front of a PostgreSQL that is reached by a socket, which a test can take away, give back and move. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import type { TestDatabase } from '../database.ts'

export type DatabaseSwitch = {
  /** As DATABASE_URL takes it. */
  url: string
  /** Every connection breaks, and nobody is let in. */
  off(): void
  on(): void
  /** From now on it leads to the server whose socket is in this folder; what is open breaks. */
  moveTo(host: string): void
  close(): void
}

export const aDatabaseSwitch = async ({
  connection,
}: Pick<TestDatabase, 'connection'>): Promise<DatabaseSwitch> => {
  const { port = 5432, user, password, database } = connection
  let { host = '' } = connection
  const open = new Set<Socket>()
  let isOn = true
  const server = createServer((socket) => {
    socket.on('error', () => {})
    if (!isOn) return socket.destroy()
    const behind = connect(join(host, `.s.PGSQL.${port}`)).on('error', () => {})
    for (const [one, other] of [
      [socket, behind],
      [behind, socket],
    ] as const) {
      open.add(one)
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port: ownPort } = server.address() as AddressInfo
  const cut = () => {
    for (const socket of open) socket.destroy()
  }
  return {
    url: `postgresql://${user}:${encodeURIComponent(String(password))}@127.0.0.1:${ownPort}/${database}`,
    off: () => {
      isOn = false
      cut()
    },
    on: () => {
      isOn = true
    },
    moveTo: (other) => {
      host = other
      cut()
    },
    close: () => {
      server.close()
      cut()
    },
  }
}
