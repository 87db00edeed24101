/** Keeps a page that opened ours from holding on to its window, where there can be one (docs/decisions/016). */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '#server/app.ts'
import { noteLinked, wasLinked } from '../exchange/cookies.ts'

const POLICY = 'cross-origin-opener-policy'

/** What browsers say of a page that was typed, is a bookmark, or was reached from a page of ours. */
const WITHOUT_OPENER = ['none', 'same-origin']
const LINKED = ['cross-site', 'same-site']

/**
 * The policy is on every answer; this takes it from pages that nobody else opened. Once somebody did, it stays on all pages
 * of this browser: a page that is reloaded with another policy than it had loses its `history.state`.
 */
export const cutFromOpener = (app: App, request: FastifyRequest, reply: FastifyReply): void => {
  const site = String(request.headers['sec-fetch-site'])
  if (wasLinked(request)) return
  if (WITHOUT_OPENER.includes(site)) reply.removeHeader(POLICY)
  if (LINKED.includes(site)) noteLinked(app, reply)
}
