/** Ports that were opened while the program was root. Early connections are kept until the real server takes the port over. */
import { createServer, type Server, type Socket } from 'node:net'

type Bound = { opener: Server; early: Socket[] }

const bound = new Map<string, Bound>()
const nameOf = (port: number, host: string): string => `${port} ${host}`

/** @throws the error of net.Server when the port cannot be opened. */
export const bindPort = async (port: number, host: string): Promise<void> => {
  const early: Socket[] = []
  // Their data is not read yet.
  const opener = createServer({ pauseOnConnect: true }, (socket) => {
    socket.on('error', () => {})
    early.push(socket)
  })
  await listening(opener, () => opener.listen(port, host))
  bound.set(nameOf(port, host), { opener, early })
}

/** Takes over the bound port, or opens it. @throws the error of net.Server when it cannot be opened. */
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

/** Where mail from other servers comes in. */
const SMTP = 25

export type ListenSettings = {
  /** The names of the settings. */
  portSetting: string
  hostSetting: string
  port: number
  host: string
}

/**
 * Explains in a sentence why a port could not be opened, and which setting changes that. Other errors are returned as they are.
 */
export const explainListenError = (error: unknown, at: ListenSettings): unknown => {
  const { portSetting, hostSetting, port, host } = at
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      if (portSetting === 'SMTP_PORT' && port === SMTP)
        return new StartError(
          `${portSetting} is ${port}, but another program already uses that port on ${host}: often Postfix or Exim, which Debian starts by itself. Please stop it, since other servers deliver mail to that port alone.`,
        )
      return new StartError(
        `${portSetting} is ${port}, but another program already uses that port on ${host}. Please choose another with ${portSetting}.`,
      )
    case 'EACCES':
      return new StartError(
        `${portSetting} is ${port}, which this user may not open. Please choose one above 1023 with ${portSetting}, start as root (Mailstead then becomes RUN_AS), or allow it with: sysctl net.ipv4.ip_unprivileged_port_start=${port}`,
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new StartError(
        `${hostSetting} is ${host}, which is not an address of this computer. Please choose another with ${hostSetting}.`,
      )
    default:
      return error
  }
}

/** An error that only the operator can correct. Shown as one sentence, without a stack. */
export class StartError extends Error {
  override name = 'StartError'
}

export const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message || error.name : String(error)
