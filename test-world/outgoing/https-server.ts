/** An HTTPS server on loopback, with a certificate that only this process trusts. */
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { selfSigned } from '#server/lib/tls/self-signed.ts'

export type Certificate = { cert: string; key: string }

const others = getCACertificates('default')

/** Trusted like one of a public authority. Only the newest is trusted: all have the same issuer name. */
export const aTrustedCertificate = (dnsName: string): Certificate => {
  const made = selfSigned(dnsName, new Date(), 10)
  setDefaultCACertificates([...others, made.cert])
  return made
}

export type HttpsServer = { port: number; close(): Promise<void> }

export const anHttpsServer = async (
  certificate: Certificate,
  answer: RequestListener,
): Promise<HttpsServer> => {
  const server = createServer(certificate, answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
