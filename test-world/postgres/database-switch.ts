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
  /**
   * Breaks the connection that sends these words next. The request does not reach the server, or the server does it and its answer is
   * lost, or the client is cut off at once while the server works.
   */
  lose(words: string, what: Loss): void
  close(): void
}

type Loss = 'request' | 'answer' | 'client'

export const aDatabaseSwitch = async ({
  connection,
}: Pick<TestDatabase, 'connection'>): Promise<DatabaseSwitch> => {
  const { port = 5432, user, password, database } = connection
  let { host = '' } = connection
  const open = new Set<Socket>()
  /** Their answers go nowhere. */
  const working = new Set<Socket>()
  let isOn = true
  let loss: { words: string; what: Loss } | null = null
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
        if (!working.has(other)) other.destroy()
      })
    }
    socket.on('data', (sent) => {
      const lost = loss !== null && sent.includes(loss.words) ? loss.what : null
      if (lost !== null) loss = null
      if (lost === 'request') return socket.destroy()
      behind.write(sent)
      if (lost === null) return
      working.add(behind)
      behind.once('data', () => {
        working.delete(behind)
        socket.destroy()
        behind.destroy()
      })
      if (lost === 'client') socket.destroy()
    })
    behind.on('data', (answer) => {
      if (!working.has(behind) && !socket.destroyed) socket.write(answer)
    })
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
    lose: (words, what) => {
      loss = { words, what }
    },
    close: () => {
      server.close()
      cut()
    },
  }
}
