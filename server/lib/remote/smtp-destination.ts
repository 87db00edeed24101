/** Where an SMTP connection leads, and how the library is told. Knows no mail. */
import type { SocketAddress } from 'node:net'
import { isIP } from 'node:net'
import type { ConnectionOptions } from 'node:tls'

export type Destination = {
  /** The host name, for TLS and the ledger. */
  host: string
  /** The address to dial: a checked IP address, or the relay's name. */
  dialled: Pick<SocketAddress, 'address' | 'port'>
  /** TLS from the first byte. */
  isSecure: boolean
  /** `required`: with a valid certificate for the host name; `never`: after TLS has failed. */
  tls: 'opportunistic' | 'required' | 'never'
  auth: { user: string; pass: string } | null
}

/** Until the connection is open, until the greeting, and between two answers. */
type Waits = { connectMs: number; greetingMs: number; idleMs: number }

/** The operator chooses the relay: its name is resolved by the system, and it may have a private address. */
export const relayOf = (relayUrl: string): Destination => {
  const url = new URL(relayUrl)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isSecure = url.protocol === 'smtps:'
  const user = decodeURIComponent(url.username)
  const isNear = host === 'localhost' || (isIP(host) !== 0 && /^(127\.|::1$)/.test(host))
  return {
    host,
    dialled: { address: host, port: Number(url.port) || (isSecure ? 465 : 587) },
    isSecure,
    // A password is sent to another machine only over verified TLS.
    tls: (user !== '' || isSecure) && !isNear ? 'required' : 'opportunistic',
    auth: user === '' ? null : { user, pass: decodeURIComponent(url.password) },
  }
}

/** For SMTPConnection of nodemailer. */
export const connectionOptions = (to: Destination, ehlo: string, waits: Waits) => {
  const isVerified = to.tls === 'required'
  const tls: ConnectionOptions = {
    // Without a policy an MX need not prove its name: TLS with an invalid certificate is better than none.
    rejectUnauthorized: isVerified,
    servername: to.host,
  }
  return {
    host: to.dialled.address,
    port: to.dialled.port,
    servername: to.host,
    name: ehlo,
    secure: to.isSecure,
    requireTLS: isVerified && !to.isSecure,
    opportunisticTLS: !isVerified,
    ignoreTLS: to.tls === 'never',
    tls,
    connectionTimeout: waits.connectMs,
    greetingTimeout: waits.greetingMs,
    socketTimeout: waits.idleMs,
  }
}
