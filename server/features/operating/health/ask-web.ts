/** One question over http or https to an address that the operator chose, with what the certificate is worth. */
import { type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { isIP } from 'node:net'
import { TLSSocket } from 'node:tls'

const MAX_BYTES = 4_096
const MAX_HEADER_BYTES = 16_384

export type WebAnswer = {
  status: number
  /** At most 4 kB. */
  body: string
  /** null without TLS. */
  certificate: { trouble: string | null; validTo: Date } | null
}

/** `ip`: dialled in place of the name. @returns a sentence's end for why there was no answer */
export const askWeb = (url: URL, ip: string, limitMs: number): Promise<WebAnswer | string> =>
  new Promise((resolve) => {
    const ask = url.protocol === 'https:' ? requestSecure : requestPlain
    const asked = ask(url, {
      hostname: ip,
      agent: false,
      ...(isIP(url.hostname) === 0 && { servername: url.hostname }),
      // What is wrong with it is told, and nothing secret is sent.
      rejectUnauthorized: false,
      signal: AbortSignal.timeout(limitMs),
      maxHeaderSize: MAX_HEADER_BYTES,
      headers: { host: url.host, accept: 'application/json', 'accept-encoding': 'identity' },
    })
    asked.on('error', (error) =>
      resolve(
        error.name === 'AbortError' || error.name === 'TimeoutError'
          ? 'no answer in time'
          : error.message,
      ),
    )
    asked.on('response', (response) => {
      const certificate = certificateOf(response)
      let body = ''
      const end = () => {
        asked.destroy()
        resolve({ status: response.statusCode ?? 0, body, certificate })
      }
      response.on('data', (bytes: Buffer) => {
        body += bytes.toString('latin1', 0, MAX_BYTES)
        if (body.length >= MAX_BYTES) end()
      })
      response.on('end', end).on('error', end)
    })
    asked.end()
  })

const certificateOf = ({ socket }: IncomingMessage): WebAnswer['certificate'] => {
  if (!(socket instanceof TLSSocket)) return null
  // Node gives a code or an error.
  const error: unknown = socket.authorizationError
  const trouble = error instanceof Error ? error.message : String(error)
  return {
    trouble: socket.authorized ? null : trouble,
    validTo: new Date(socket.getPeerCertificate().valid_to),
  }
}
