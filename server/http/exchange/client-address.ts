/**
 * The client address of a request, by which throttles count. Proxies named in TRUSTED_PROXIES are believed, from the last to the
 * first, as long as they wrote an address: any other text would give each request a count of its own.
 */
import type { FastifyRequest } from 'fastify'
import type { App } from '#server/app.ts'
import { addressIn, isInRange, isNear } from '#server/lib/address-text.ts'

/** Always an address. What is wrong with a proxy is logged once. */
export const openClientAddresses = (app: App): ((request: FastifyRequest) => string) => {
  const warned = new Set<string>()
  const warnOnce = (sentence: string): void => {
    // A few proxies, not every address that a stranger can think of.
    if (warned.has(sentence) || warned.size >= MOST_WARNINGS) return
    warned.add(sentence)
    app.log.warn(sentence)
  }
  return (request) => clientAddress(app, request, warnOnce)
}

const MOST_WARNINGS = 20

const clientAddress = (
  app: App,
  request: FastifyRequest,
  warnOnce: (sentence: string) => void,
): string => {
  const peer = addressIn(request.socket.remoteAddress ?? '') ?? '0.0.0.0'
  const isTrusted = (address: string) =>
    app.config.trustedProxies.some((range) => isInRange(address, range))
  const written = writtenBy(request)
  if (!isTrusted(peer)) {
    if (isForwarded(request) && isNear(peer))
      warnOnce(
        `Requests come through ${peer}, which TRUSTED_PROXIES does not name: all people behind it count as one. If it is your proxy, set TRUSTED_PROXIES=${peer}`,
      )
    return peer
  }
  if (written.length === 0 && request.headers.forwarded !== undefined)
    warnOnce(
      `The proxy ${peer} sends Forwarded without X-Forwarded-For: all people behind it count as one. Please let it send X-Forwarded-For`,
    )
  let client = peer
  for (const text of written.reverse()) {
    const address = addressIn(text)
    if (address === null) {
      warnOnce(`The proxy ${client} writes X-Forwarded-For without an address: its own counts`)
      break
    }
    client = address
    if (!isTrusted(client)) break
  }
  return client
}

const writtenBy = ({ headers }: FastifyRequest): string[] =>
  [headers['x-forwarded-for'] ?? []].flat().flatMap((line) => line.split(','))

const isForwarded = ({ headers }: FastifyRequest): boolean =>
  ['x-forwarded-for', 'forwarded', 'x-real-ip'].some((name) => headers[name] !== undefined)
