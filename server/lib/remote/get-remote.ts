/**
 * Fetches what a stranger's address names, over http or https. Each address on the way is judged by the network guard,
 * nothing of us or of our user goes along, and a hostile server gets neither more time nor more memory than was allowed.
 */
import { type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { isIP } from 'node:net'
import type { Dns } from '../dns/dns.ts'
import { assertDialable, guardedLookup } from '../network-guard.ts'

/** Its message says why; it is for logs and tests. */
export class NotFetched extends Error {
  override name = 'NotFetched'
}

export type Network = { dns: Dns; allowLoopbackPeers: boolean }
export type FetchLimits = { accept: string; maxBytes: number; wholeMs: number }

const MAX_REDIRECTS = 5
const MAX_HEADER_BYTES = 16_384
/** Says what kind of program asks, and nothing that tells one of us from another. */
const USER_AGENT = 'Mozilla/5.0 (compatible)'

/** @throws NotFetched */
export const getRemote = async (
  network: Network,
  address: string,
  limits: FetchLimits,
): Promise<Buffer> => {
  const stop = AbortSignal.timeout(limits.wholeMs)
  try {
    let url = allowedUrl(network, address)
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const answer = await ask(network, url, limits, stop)
      if (Buffer.isBuffer(answer)) return answer
      url = allowedUrl(network, answer.location, url)
    }
    throw new NotFetched('it redirects too often')
  } catch (error) {
    if (error instanceof NotFetched) throw error
    throw new NotFetched(stop.aborted ? 'it took too long' : (error as Error).message)
  }
}

const allowedUrl = ({ allowLoopbackPeers }: Network, address: string, base?: URL): URL => {
  const url = URL.parse(address, base?.href)
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new NotFetched('it is no web address')
  // Other ports belong to other services, which must not be talked to in the name of a mail.
  const isUsualPort = ['', '80', '443'].includes(url.port)
  if (!isUsualPort && !allowLoopbackPeers) throw new NotFetched(`port ${url.port} is not asked`)
  // Of a host that is an address nothing is looked up, so no look-up can judge it.
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0) assertDialable(host, allowLoopbackPeers)
  url.username = ''
  url.password = ''
  url.hash = ''
  return url
}

type Moved = { location: string }

const ask = (
  { dns, allowLoopbackPeers }: Network,
  url: URL,
  { accept, maxBytes }: FetchLimits,
  signal: AbortSignal,
): Promise<Buffer | Moved> =>
  new Promise((resolve, reject) => {
    const asked = (url.protocol === 'https:' ? requestSecure : requestPlain)(url, {
      agent: false,
      lookup: guardedLookup(dns, allowLoopbackPeers),
      signal,
      maxHeaderSize: MAX_HEADER_BYTES,
      // Nothing is unpacked here, so nothing can be packed to burst.
      headers: { accept, 'accept-encoding': 'identity', 'user-agent': USER_AGENT },
    })
    const end = (settle: () => void) => {
      asked.destroy()
      settle()
    }
    asked.on('error', reject)
    asked.on('response', (response) => {
      response.on('error', reject)
      const { location } = response.headers
      if (isRedirect(response) && location) return end(() => resolve({ location }))
      const refusal = refusalOf(response, maxBytes)
      if (refusal) return end(() => reject(new NotFetched(refusal)))
      collect(response, maxBytes).then(resolve, (error) => end(() => reject(error)))
    })
    asked.end()
  })

const isRedirect = ({ statusCode = 0 }: IncomingMessage): boolean =>
  [301, 302, 303, 307, 308].includes(statusCode)

const refusalOf = ({ statusCode, headers }: IncomingMessage, maxBytes: number): string | null => {
  if (statusCode !== 200) return `it answers ${statusCode}`
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding.toLowerCase() !== 'identity') return `it is packed with ${encoding}`
  return Number(headers['content-length'] ?? 0) > maxBytes ? 'it is too large' : null
}

const collect = async (response: IncomingMessage, maxBytes: number): Promise<Buffer> => {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new NotFetched('it is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
