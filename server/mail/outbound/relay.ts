/** The operator's own choice: its name is resolved as the system does, and it may be a private address. */
import { isIP } from 'node:net'
import type { Destination } from './smtp/session.ts'

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
    // A password leaves the machine only over a connection whose other end is known.
    tls: (user !== '' || isSecure) && !isNear ? 'required' : 'opportunistic',
    auth: user === '' ? null : { user, pass: decodeURIComponent(url.password) },
  }
}
