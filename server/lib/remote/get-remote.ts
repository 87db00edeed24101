/**
 * Asks an address from a mail over http or https. The network guard checks every redirect, the request reveals nothing about
 * us or the user, and a hostile server gets no more time or memory than the limits allow.
 */
import { type ClientRequest, type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { isIP } from 'node:net'
import type { Dns } from '../dns/dns.ts'
import { assertDialable, guardedLookup } from '../network-guard.ts'

/** The message gives the reason, for logs and tests. */
export class NotFetched extends Error {
  override name = 'NotFetched'
}

export type Network = { dns: Dns; allowLoopbackPeers: boolean }
export type FetchLimits = {
  accept: string
  maxBytes: number
  wholeMs: number
  /** 5 when absent. */
  maxRedirects?: number
  /** Of the answer; any when absent. */
  contentType?: RegExp
}

const MAX_HEADER_BYTES = 16_384
/** Names a generic program, so that installations cannot be told apart. */
const USER_AGENT = 'Mozilla/5.0 (compatible)'

/** @throws NotFetched */
export const getRemote = async (
  network: Network,
  address: string,
  limits: FetchLimits,
): Promise<Buffer> => {
  const { maxRedirects = 5 } = limits
  const stop = AbortSignal.timeout(limits.wholeMs)
  try {
    let url = allowedUrl(network, address)
    for (let redirects = 0; redirects <= maxRedirects; redirects++) {
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

/**
 * Posts a form to an https address and resolves once the server accepts it with a 2xx status. Follows no redirect and reads no
 * answer (RFC 8058 section 3.1).
 * @throws NotFetched
 */
export const postForm = async (
  network: Network,
  address: string,
  form: string,
  wholeMs: number,
): Promise<void> => {
  const stop = AbortSignal.timeout(wholeMs)
  try {
    const url = allowedUrl(network, address)
    if (url.protocol !== 'https:') throw new NotFetched('it is no https address')
    const status = await post(network, url, form, stop)
    if (status < 200 || status > 299) throw new NotFetched(`it answers ${status}`)
  } catch (error) {
    if (error instanceof NotFetched) throw error
    throw new NotFetched(stop.aborted ? 'it took too long' : (error as Error).message)
  }
}

const post = (network: Network, url: URL, form: string, signal: AbortSignal): Promise<number> =>
  new Promise((resolve, reject) => {
    const asked = requestSecure(url, {
      ...guarded(network, signal),
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'content-length': Buffer.byteLength(form),
        'user-agent': USER_AGENT,
      },
    })
    asked.on('error', reject)
    refuseUpgrade(asked, reject)
    asked.on('response', ({ statusCode = 0 }) => {
      asked.destroy()
      resolve(statusCode)
    })
    asked.end(form)
  })

export const guarded = ({ dns, allowLoopbackPeers }: Network, signal: AbortSignal) => ({
  agent: false as const,
  lookup: guardedLookup(dns, allowLoopbackPeers),
  signal,
  maxHeaderSize: MAX_HEADER_BYTES,
})

/** Without this listener Node closes the connection of an answer 101 and reports nothing, so the request would never end. */
export const refuseUpgrade = (asked: ClientRequest, reject: (error: NotFetched) => void): void => {
  asked.on('upgrade', ({ statusCode }, socket) => {
    socket.destroy()
    reject(new NotFetched(`it answers ${statusCode}`))
  })
}

export const allowedUrl = ({ allowLoopbackPeers }: Network, address: string, base?: URL): URL => {
  const url = URL.parse(address, base?.href)
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new NotFetched('it is no web address')
  // Other ports belong to other services, which a mail must not make us call.
  const isUsualPort = ['', '80', '443'].includes(url.port)
  if (!isUsualPort && !allowLoopbackPeers) throw new NotFetched(`port ${url.port} is not asked`)
  // A host that is an IP address is not looked up, so the guarded look-up does not check it.
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0) assertDialable(host, allowLoopbackPeers)
  url.username = ''
  url.password = ''
  url.hash = ''
  return url
}

type Moved = { location: string }

const ask = (
  network: Network,
  url: URL,
  limits: FetchLimits,
  signal: AbortSignal,
): Promise<Buffer | Moved> =>
  new Promise((resolve, reject) => {
    const asked = (url.protocol === 'https:' ? requestSecure : requestPlain)(url, {
      ...guarded(network, signal),
      // Without compression there is no decompression bomb.
      headers: { accept: limits.accept, 'accept-encoding': 'identity', 'user-agent': USER_AGENT },
    })
    const end = (settle: () => void) => {
      asked.destroy()
      settle()
    }
    asked.on('error', reject)
    refuseUpgrade(asked, reject)
    asked.on('response', (response) => {
      response.on('error', reject)
      const { location } = response.headers
      if (isRedirect(response) && location) return end(() => resolve({ location }))
      const refusal = refusalOf(response, limits)
      if (refusal) return end(() => reject(new NotFetched(refusal)))
      collect(response, limits.maxBytes).then(resolve, (error) => end(() => reject(error)))
    })
    asked.end()
  })

const isRedirect = ({ statusCode = 0 }: IncomingMessage): boolean =>
  [301, 302, 303, 307, 308].includes(statusCode)

const refusalOf = (
  { statusCode, headers }: IncomingMessage,
  { maxBytes, contentType }: FetchLimits,
): string | null => {
  if (statusCode !== 200) return `it answers ${statusCode}`
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding.toLowerCase() !== 'identity') return `it is packed with ${encoding}`
  const type = headers['content-type'] ?? ''
  if (contentType?.test(type) === false) return `it is '${type}'`
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
