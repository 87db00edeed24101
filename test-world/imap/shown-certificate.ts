import { connect } from 'node:tls'

/** What a door on loopback shows to who asks for no name, in PEM, not judged: a program that trusts it alone notices any other. */
export const shownCertificate = (port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      resolve(socket.getPeerX509Certificate()?.toString() ?? '')
      socket.destroy()
    })
    socket.once('error', reject)
  })
