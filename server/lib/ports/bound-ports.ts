/**
 * Ports that were opened before the program gave up the right to open them. Who calls meanwhile is kept until the server is
 * there that answers.
 */
import { createServer, type Server, type Socket } from 'node:net'

type Bound = { opener: Server; early: Socket[] }

const bound = new Map<string, Bound>()
const nameOf = (port: number, host: string): string => `${port} ${host}`

/** @throws what net.Server says when it cannot be opened. */
export const bindPort = async (port: number, host: string): Promise<void> => {
  const early: Socket[] = []
  // Nothing is read of them yet.
  const opener = createServer({ pauseOnConnect: true }, (socket) => {
    socket.on('error', () => {})
    early.push(socket)
  })
  await listening(opener, () => opener.listen(port, host))
  bound.set(nameOf(port, host), { opener, early })
}

/** At the port as it was opened, else opens it. @throws what net.Server says when it cannot be opened. */
export const listenAt = async (server: Server, port: number, host: string): Promise<void> => {
  const opened = bound.get(nameOf(port, host))
  bound.delete(nameOf(port, host))
  await listening(server, () => (opened ? server.listen(opened.opener) : server.listen(port, host)))
  for (const socket of opened?.early ?? []) {
    server.emit('connection', socket)
    socket.resume()
  }
}

const listening = (server: Server, listen: () => void): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.once('listening', () => {
      server.off('error', reject)
      resolve()
    })
    listen()
  })
