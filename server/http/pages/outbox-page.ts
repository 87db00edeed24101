/** /dev/outbox: the mails that SYSTEM_MAIL=outbox keeps here, for somebody who tries Mailstead on their own machine. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { type HeldMail, listHeldMails } from '#server/features/outbox/held-mails.ts'
import { escapeHtml } from '#server/lib/escape-html.ts'

/** Exists only while PUBLIC_URL is a loopback address; a forwarded request comes from elsewhere. */
export const registerOutboxPage = (server: FastifyInstance, app: App): void => {
  server.get('/dev/outbox', async (request, reply) => {
    if (!app.config.isLocal || isForwarded(request)) throw new AppError('NOT_EXISTS')
    return reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
      })
      .send(page(await listHeldMails(app)))
  })
}

const isForwarded = (request: FastifyRequest): boolean =>
  Object.keys(request.headers).some(
    (name) => name === 'forwarded' || name.startsWith('x-forwarded-'),
  )

const page = (mails: readonly HeldMail[]): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Outbox | Mailstead</title></head>
<body>
<h1>Outbox</h1>
<p>System mails stay here while SYSTEM_MAIL is outbox. Newest first.</p>
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
