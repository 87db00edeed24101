/** Files at fixed addresses that programs ask for: what may be found, and whom to tell of a security hole. */
import type { FastifyInstance } from 'fastify'
import type { App } from '#server/app.ts'
import { DAY_SECONDS, secondsAfter } from '#server/lib/clock.ts'

/** Pages that search engines may list; all others are for people who sign in or were sent a link. */
export const PUBLIC_PAGES = ['/login', '/sign-up', '/terms', '/privacy', '/developers/api'] as const

/** RFC 9116 advises less than a year: whoever reads it later asks again. */
const VALID_DAYS = 180

export const registerSiteFiles = (server: FastifyInstance, app: App): void => {
  server.get('/robots.txt', (_request, reply) => sendText(reply, robotsOf()))
  server.get('/.well-known/security.txt', (_request, reply) => sendText(reply, securityOf(app)))
}

const sendText = (
  reply: { header: (name: string, value: string) => unknown; send: (text: string) => unknown },
  text: string,
): void => {
  reply.header('content-type', 'text/plain; charset=utf-8')
  reply.header('cache-control', 'public, max-age=3600')
  reply.send(text)
}

const robotsOf = (): string =>
  [
    'User-agent: *',
    'Allow: /$',
    ...PUBLIC_PAGES.map((path) => `Allow: ${path}$`),
    // What these pages are drawn with.
    'Allow: /assets/',
    'Disallow: /',
    '',
  ].join('\n')

const securityOf = ({ config, clock }: App): string => {
  const { operatorContact, publicUrl } = config
  const isPage = /^https?:/.test(operatorContact)
  // To the day, so that the file stays the same for a while.
  const expires = secondsAfter(clock.now(), VALID_DAYS * DAY_SECONDS)
    .toISOString()
    .slice(0, 10)
  return [
    `Contact: ${isPage ? operatorContact : `mailto:${operatorContact}`}`,
    `Expires: ${expires}T00:00:00Z`,
    'Preferred-Languages: en',
    `Canonical: ${publicUrl}/.well-known/security.txt`,
    '',
  ].join('\n')
}
