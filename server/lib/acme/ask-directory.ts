/** One request to an ACME directory, bounded in time and size. Only https, and names are looked up through DNS_SERVERS. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { isIP } from 'node:net'
import { getCACertificates } from 'node:tls'
import type { Dns } from '../dns/dns.ts'
import { assertDialable, guardedLookup } from '../network-guard.ts'
import { AcmeTrouble } from './acme-trouble.ts'

export type AcmeNetwork = {
  dns: Dns
  allowLoopbackPeers: boolean
  directoryUrl: string
  /** Roots besides the system's, in PEM; null: none. */
  roots: string | null
  /** Of one request. */
  requestMs?: number
}

export type AcmeAnswer = { status: number; headers: IncomingHttpHeaders; body: Buffer }
export type Asked = { method: 'GET' | 'HEAD' | 'POST'; url: string; body?: string }

const REQUEST_MS = 30_000
/** A chain has about 10 kB. */
const MAX_BYTES = 256 * 1024
const MAX_HEADER_BYTES = 16_384

/** @throws AcmeTrouble, also when `signal` ends it */
export const askDirectory = async (
  network: AcmeNetwork,
  asked: Asked,
  signal: AbortSignal,
): Promise<AcmeAnswer> => {
  const late = AbortSignal.timeout(network.requestMs ?? REQUEST_MS)
  try {
    return await send(network, asked, AbortSignal.any([signal, late]))
  } catch (error) {
    if (error instanceof AcmeTrouble) throw error
    if (late.aborted || signal.aborted)
      throw new AcmeTrouble('The directory took too long to answer.')
    throw new AcmeTrouble(`The directory could not be asked: ${(error as Error).message}.`)
  }
}

const send = (
  network: AcmeNetwork,
  { method, url, body }: Asked,
  signal: AbortSignal,
): Promise<AcmeAnswer> =>
  new Promise((resolve, reject) => {
    const target = allowedUrl(network, url)
    const asked = request(target, {
      ...{ method, signal, agent: false, maxHeaderSize: MAX_HEADER_BYTES },
      lookup: guardedLookup(network.dns, mayBePrivate(network, target)),
      ...(network.roots !== null && { ca: [...getCACertificates('default'), network.roots] }),
      headers: {
        'user-agent': 'Mailstead',
        'accept-language': 'en',
        'accept-encoding': 'identity',
        ...(body !== undefined && {
          'content-type': 'application/jose+json',
          'content-length': Buffer.byteLength(body),
        }),
      },
    })
    asked.on('error', reject)
    asked.on('response', (response) => {
      collect(response).then(
        (bytes) =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: bytes }),
        (error: unknown) => {
          asked.destroy()
          reject(error)
        },
      )
    })
    asked.end(body)
  })

const collect = async (response: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_BYTES) throw new AcmeTrouble('The directory answered with too much.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The operator may name a directory in a private network; where that one sends us may not be elsewhere in it. */
const mayBePrivate = ({ allowLoopbackPeers, directoryUrl }: AcmeNetwork, target: URL): boolean =>
  allowLoopbackPeers || target.hostname === new URL(directoryUrl).hostname

const allowedUrl = (network: AcmeNetwork, text: string): URL => {
  const url = URL.parse(text)
  if (url?.protocol !== 'https:')
    throw new AcmeTrouble('The directory names an address without https.')
  // An address is not looked up, so the guarded look-up does not see it.
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0) assertDialable(host, mayBePrivate(network, url))
  return url
}
