/** Headers of every answer, including errors. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '#server/app.ts'
import { isApi } from '../exchange/errors.ts'

const policy = (directives: Record<string, string>): string =>
  Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`.trim())
    .join('; ')

const NOTHING = policy({ 'default-src': "'none'", 'frame-ancestors': "'none'" })

/** For pages: nothing from other hosts; inline scripts only by these hashes, styles by nonce. */
export const pagePolicy = (nonce: string, scriptHashes: string[]): string =>
  policy({
    'default-src': "'none'",
    'script-src': ["'self'", ...scriptHashes].join(' '),
    'style-src': `'self' 'nonce-${nonce}'`,
    'img-src': "'self' data: blob:",
    'font-src': "'self'",
    'connect-src': "'self'",
    'manifest-src': "'self'",
    'frame-src': "'self'",
    'object-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'self'",
    'frame-ancestors': "'none'",
  })

/**
 * For the document that shows one mail: no scripts, nothing remote, inline styles allowed.
 * `sandbox` makes this hold even when the URL is opened directly.
 */
export const mailFramePolicy = policy({
  'default-src': "'none'",
  'img-src': 'data: blob:',
  'style-src': "'unsafe-inline'",
  'form-action': "'none'",
  'base-uri': "'none'",
  'frame-ancestors': "'self'",
  // Modals: our page prints the frame. Without scripts its content cannot open one.
  sandbox: 'allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-modals',
})

export const setSecurityHeaders = (
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
): void => {
  reply.headers({
    'content-security-policy': NOTHING,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  })
  if (app.config.publicUrl.startsWith('https:'))
    reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains')
  // Pages behind a link are for the person who was given it.
  if (isForNoIndex(request.url)) reply.header('x-robots-tag', 'noindex, nofollow')
  if (isApi(request.url)) reply.header('cache-control', 'no-store')
}

const isForNoIndex = (url: string): boolean =>
  isApi(url) || /^\/(?:dns|dashboard)(?:[/?]|$)/.test(url)
