import type { FastifyRequest } from 'fastify'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'

/**
 * For calls that a cookie authenticates. Browsers send Origin with every POST, and most Sec-Fetch-Site:
 * a request with neither comes from a program, which holds the cookie because it was given it.
 * @throws WRONG_ORIGIN
 */
export const requireOwnOrigin = (app: App, request: FastifyRequest): void => {
  const { origin } = request.headers
  const site = request.headers['sec-fetch-site']
  if (origin === new URL(app.config.publicUrl).origin) return
  // Set by the browser alone: also right behind a development server or under another loopback name.
  if (site === 'same-origin') return
  if (origin === undefined && site === undefined) return
  throw new AppError('WRONG_ORIGIN')
}
