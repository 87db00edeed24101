import type { FastifyInstance } from 'fastify'
import { mailFramePolicy } from './security-headers.ts'

const EMPTY =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Message</title></head><body></body></html>'

/**
 * The empty document in which a page shows the HTML of a mail. The page sanitises the mail and writes it
 * into this frame (`<iframe sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox">`):
 * no script can run in it and nothing remote loads, whatever the mail holds (decision 008).
 */
export const registerMailFrame = (server: FastifyInstance): void => {
  server.get('/mail-frame', async (_request, reply) =>
    reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': mailFramePolicy,
        // Each HTML mail opens it, and far from the server each look-up is felt.
        'cache-control': 'private, max-age=600',
      })
      .send(EMPTY),
  )
}
