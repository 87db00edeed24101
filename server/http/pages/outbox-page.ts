/** /dev/outbox: the mails that SYSTEM_MAIL=outbox holds, for a trial of Mailstead on one's own machine. */
import { isIPv6 } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { type HeldMail, isOutboxCode, listHeldMails } from '#server/features/outbox/held-mails.ts'
import { escapeHtml } from '#server/lib/escape-html.ts'
import { isLoopback } from '#server/lib/network-guard.ts'

/**
 * Exists only while PUBLIC_URL is a loopback address, for a browser on the same machine, and with the code: behind a proxy
 * without forwarding headers every client appears to be on this machine.
 */
export const registerOutboxPage = (server: FastifyInstance, app: App): void => {
  server.get<{ Querystring: { code?: unknown } }>('/dev/outbox', async (request, reply) => {
    const isShown = app.config.isLocal && isFromHere(request)
    if (!isShown || !isOutboxCode(app, request.query.code)) throw new AppError('NOT_EXISTS')
    return reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
      })
      .send(page(await listHeldMails(app)))
  })
}

/**
 * A mailed link gives access to the account. With HOST=0.0.0.0 other machines connect too; a proxy forwards; and a
 * foreign page whose name resolves to this machine (DNS rebinding) sends its own name as Host.
 */
const isFromHere = (request: Pick<FastifyRequest, 'headers' | 'socket'>): boolean => {
  const { host = '' } = request.headers
  const peer = (request.socket.remoteAddress ?? '').replace(/^::ffff:/i, '')
  return (
    !isForwarded(request) &&
    isLoopback(isIPv6(peer) ? `[${peer}]` : peer) &&
    URL.canParse(`http://${host}`) &&
    isLoopback(new URL(`http://${host}`).hostname)
  )
}

const isForwarded = (request: Pick<FastifyRequest, 'headers'>): boolean =>
  Object.keys(request.headers).some((name) =>
    /^(forwarded|via|x-forwarded-.*|x-real-ip)$/.test(name),
  )

const page = (mails: readonly HeldMail[]): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Outbox | Mailstead</title></head>
<body>
<h1>Outbox</h1>
<p>With SYSTEM_MAIL=outbox, Mailstead does not send its system mails but lists them here, newest first.</p>
${mails.length === 0 ? '<p>No mail yet.</p>' : mails.map(article).join('\n')}
</body>
</html>
`

const article = (mail: HeldMail): string => `<article>
<h2>${escapeHtml(mail.subject)}</h2>
<p>To ${escapeHtml(mail.to)}, ${mail.createdAt.toISOString()}</p>
${mail.link === null ? '' : `<p><a href="${escapeHtml(mail.link)}">${escapeHtml(mail.link)}</a></p>`}
<pre>${escapeHtml(mail.text)}</pre>
</article>`
