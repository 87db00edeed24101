/** How a directory looks at a name: http-01 (RFC 8555 section 8.3) and tls-alpn-01 (RFC 8737), on loopback. */
import { createHash, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:tls'

export type ChallengePorts = { http: number; tls: number }

/** null: the name is proven; otherwise the problem. */
export type Fault = { type: string; detail: string } | null

const fault = (type: string, detail: string): Fault => ({
  ...{ type: `urn:ietf:params:acme:error:${type}`, detail },
})
const WHOLE_MS = 10_000

export const validateHttp = async (
  name: string,
  token: string,
  keyAuthorization: string,
  port: number,
): Promise<Fault> => {
  try {
    const asked = request({
      ...{ host: '127.0.0.1', port, path: `/.well-known/acme-challenge/${token}` },
      ...{ headers: { host: name }, agent: false, signal: AbortSignal.timeout(WHOLE_MS) },
    }).end()
    const [response] = await once(asked, 'response')
    const text = Buffer.concat(await response.toArray()).toString('utf8')
    if (response.statusCode !== 200)
      return fault('unauthorized', `${response.statusCode} for ${name}`)
    return text.trimEnd() === keyAuthorization ? null : fault('incorrectResponse', `got ${text}`)
  } catch (error) {
    return fault('connection', (error as Error).message)
  }
}

export const validateTls = async (
  name: string,
  keyAuthorization: string,
  port: number,
): Promise<Fault> => {
  try {
    const socket = connect({
      ...{ host: '127.0.0.1', port, servername: name, ALPNProtocols: ['acme-tls/1'] },
      rejectUnauthorized: false,
    })
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(WHOLE_MS) })
    const { raw } = socket.getPeerCertificate()
    const { alpnProtocol } = socket
    socket.destroy()
    if (alpnProtocol !== 'acme-tls/1') return fault('tls', 'no acme-tls/1')
    if (new X509Certificate(raw).subjectAltName !== `DNS:${name}`) return fault('tls', 'other name')
    const digest = createHash('sha256').update(keyAuthorization).digest()
    // The extension of RFC 8737 section 3, critical, with the digest.
    const wanted = Buffer.concat([
      Buffer.from('06082b0601050507011f', 'hex'),
      Buffer.from('0101ff', 'hex'),
      Buffer.from('04220420', 'hex'),
      digest,
    ])
    return raw.includes(wanted) ? null : fault('unauthorized', 'another digest')
  } catch (error) {
    return fault('connection', (error as Error).message)
  }
}
