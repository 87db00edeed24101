/** A TCP port in front of a PostgreSQL socket, which a test can turn off, turn on and move. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import type { TestDatabase } from '../database.ts'

export type DatabaseSwitch = {
  /** For DATABASE_URL. */
  url: string
  /** Breaks every connection and refuses new ones. */
  off(): void
  on(): void
  /** Leads to the server with its socket in this folder from now on; open connections break. */
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
