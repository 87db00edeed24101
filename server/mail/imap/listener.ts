/** Opens the ports of IMAP: one with STARTTLS, one over TLS (RFC 8314). */
import { type AddressInfo, createServer, type Server } from 'node:net'
import type { App } from '#server/app.ts'
import { behindBalancers } from '#server/lib/ports/behind-balancers.ts'
import { explainListenError, listenAt } from '#server/lib/ports/bound-ports.ts'
import { Connections, type ImapLimits } from './connections.ts'

export type OpenImap = { imap: number; imaps: number; close: () => Promise<void> }

export const openImap = async (app: App, limits: Partial<ImapLimits> = {}): Promise<OpenImap> => {
  await app.certificates.load()
  const connections = new Connections(app, limits)
  const plain = createServer((socket) => connections.accept(socket, false))
  const secure = createServer((socket) => connections.accept(socket, true))
  for (const server of [plain, secure]) behindBalancers(server, app)
  await listen(app, plain, 'IMAP_PORT', app.config.imapPort)
  await listen(app, secure, 'IMAPS_PORT', app.config.imapsPort)
  const stopListening = await connections.watch()
  return {
    imap: portOf(plain),
    imaps: portOf(secure),
    close: async () => {
      stopListening()
      const closed = [plain, secure].map((server) => new Promise((done) => server.close(done)))
      connections.endAll('The server is restarting')
      await Promise.all(closed)
    },
  }
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port

const listen = async (
  app: App,
  server: Server,
  portSetting: string,
  port: number,
): Promise<void> => {
  const host = app.config.mailListen
  await listenAt(server, port, host).catch((error: unknown) => {
    throw explainListenError(error, { portSetting, hostSetting: 'MAIL_LISTEN', port, host })
  })
  server.on('error', (error) => app.log.debug({ err: error }, 'a connection was not taken'))
}
