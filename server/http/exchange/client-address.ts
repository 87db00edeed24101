/**
 * Whose request this is: what throttles count by. Proxies that TRUSTED_PROXIES names are believed, from the last to the
 * first, as long as what they wrote is an address: whatever else would be a bucket of its own for each request.
 */
import type { FastifyRequest } from 'fastify'
import type { App } from '#server/app.ts'
import { addressIn, isInRange, isNear } from '#server/lib/address-text.ts'

const warned = new WeakMap<App, Set<string>>()

/** Always an address. */
export const clientAddress = (app: App, request: FastifyRequest): string => {
  const peer = addressIn(request.socket.remoteAddress ?? '') ?? '0.0.0.0'
  const isTrusted = (address: string) =>
    app.config.trustedProxies.some((range) => isInRange(address, range))
  const written = writtenBy(request)
  if (!isTrusted(peer)) {
    if (isForwarded(request) && isNear(peer))
      warnOnce(
        app,
        `Requests come through ${peer}, which TRUSTED_PROXIES does not name: all people behind it count as one. If it is your proxy, set TRUSTED_PROXIES=${peer}`,
      )
    return peer
  }
  if (written.length === 0 && request.headers.forwarded !== undefined)
    warnOnce(
      app,
      `The proxy ${peer} sends Forwarded without X-Forwarded-For: all people behind it count as one. Please let it send X-Forwarded-For`,
    )
  let client = peer
  for (const text of written.reverse()) {
    const address = addressIn(text)
    if (address === null) {
      warnOnce(app, `The proxy ${client} writes X-Forwarded-For without an address: its own counts`)
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

const warnOnce = (app: App, sentence: string): void => {
  const told = warned.get(app) ?? new Set()
  warned.set(app, told)
  // A few proxies, not every address that a stranger can think of.
  if (told.has(sentence) || told.size >= 20) return
  told.add(sentence)
  app.log.warn(sentence)
}
