/** Which certificate each port of the product shows to a client that trusts one root alone. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls'

/** What a client says until it may begin TLS, each after a line of the server; none: TLS comes first. */
type Door = { port: number; says: readonly string[]; protocols?: string[] }
export type Doors = Record<string, Door>

const SMTP = ['EHLO trial.example\r\n', 'STARTTLS\r\n']
const IMAP = ['a STARTTLS\r\n']

export type DoorPorts = {
  https: number
  smtp: number
  submission: number
  submissions: number
  imap: number
  imaps: number
}

export const doorsAt = (ports: DoorPorts): Doors => ({
  HTTPS: { port: ports.https, says: [], protocols: ['h2'] },
  SMTP: { port: ports.smtp, says: SMTP },
  submission: { port: ports.submission, says: SMTP },
  submissions: { port: ports.submissions, says: [] },
  IMAP: { port: ports.imap, says: IMAP },
  IMAPS: { port: ports.imaps, says: [] },
})

/** The serial number. @throws when the certificate is not for the name, or the root has not signed it */
export const serialShown = async (
  door: Door,
  servername: string,
  root: string,
): Promise<string> => {
  const options = { servername, ca: root, ...(door.protocols && { ALPNProtocols: door.protocols }) }
  const socket = await secured(door, options)
  const { serialNumber } = socket.getPeerCertificate()
  socket.destroy()
  return serialNumber
}

const secured = async ({ port, says }: Door, options: ConnectionOptions): Promise<TLSSocket> => {
  const plain = connect(port, '127.0.0.1')
  await once(plain, 'connect')
  if (says.length > 0) await upToTls(plain, says)
  const socket = connectTls({ socket: plain, ...options })
  await once(socket, 'secureConnect')
  return socket
}

/** An answer ends with a line whose code is followed by a space; all lines of IMAP count as such. */
const upToTls = async (socket: Socket, says: readonly string[]): Promise<void> => {
  const answer = async () => {
    let heard = ''
    while (!/^(?:\d{3}|\*|a) [^\n]*\n$/m.test(heard))
      heard += String((await once(socket, 'data'))[0])
  }
  await answer()
  for (const line of says) {
    socket.write(line)
    await answer()
  }
}
