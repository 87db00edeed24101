/** /dev/outbox: the mails that SYSTEM_MAIL=outbox holds, for a trial of Mailstead on one's own machine. */
import { isIPv6 } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { dateWriter } from '#contract/date-formats.ts'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { type HeldMail, isOutboxCode, listHeldMails } from '#server/features/outbox/held-mails.ts'
import { peerOf } from '#server/lib/address-text.ts'
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
        'content-security-policy':
          "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
      })
      .send(page(await listHeldMails(app)))
  })
}

/**
 * A mailed link gives access to the account. With HOST=0.0.0.0 other machines connect too; a proxy forwards; and a
 * foreign page whose name resolves to this machine (DNS rebinding) sends its own name as Host.
 */
const isFromHere = (request: Pick<FastifyRequest, 'headers' | 'host' | 'socket'>): boolean => {
  // Of HTTP/2 too, which has no header of that name.
  const { host } = request
  const peer = peerOf(request.socket)
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
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Outbox | Mailstead</title>
<style>${STYLES}</style>
</head>
<body>
<main>
<p class="brand">Mailstead</p>
<h1>Outbox</h1>
<p class="soft">With SYSTEM_MAIL=outbox, Mailstead does not send its own mails. They wait here, newest first, on this computer alone.</p>
${mails.length === 0 ? EMPTY : mails.map((mail, index) => article(mail, index === 0)).join('\n')}
</main>
</body>
</html>
`

const EMPTY =
  '<p class="empty"><strong>No mail yet</strong><br>Sign up, or ask for a new password, and the mail appears here. Reload the page to see it.</p>'

/** This page is only for a browser on this machine, so the time zone of the server is that of its reader. */
const times = dateWriter({ timeZone: undefined, hours: '24h', order: 'day-first' })

/** Without scripts, and shown as it would be in a mail program: links open a new tab. */
const frameOf = (html: string): string =>
  `<iframe title="The mail as it looks" loading="lazy" sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${escapeHtml(html.replace('<head>', '<head><base target="_blank">'))}"></iframe>`

const article = (
  mail: HeldMail,
  isOpen: boolean,
): string => `<details class="mail"${isOpen ? ' open' : ''}>
<summary><strong>${escapeHtml(mail.subject)}</strong><span class="soft">To ${escapeHtml(mail.to)}, ${times.moment(mail.createdAt)}</span></summary>
<div class="body">
${mail.link === null ? '' : `<p class="link"><a href="${escapeHtml(mail.link)}">${escapeHtml(mail.link)}</a></p>`}
${mail.html === '' ? '' : frameOf(mail.html)}
<details${mail.html === '' ? ' open' : ''}><summary>Text</summary><pre>${escapeHtml(mail.text)}</pre></details>
<details><summary>Header fields</summary><pre>${escapeHtml(mail.headers)}</pre></details>
</div>
</details>`

/** The colours of web/styles.css, which this page does not load: it is shown without the web app too. */
const STYLES = `
:root{--canvas:#fbfaf7;--surface:#fff;--sunken:#f4f3f0;--line:#e3e1dc;--ink:#1c1e24;--soft:#5c606b;--accent:#3150d8}
@media (prefers-color-scheme:dark){:root{--canvas:#0e1014;--surface:#171a20;--sunken:#0e1014;--line:#2c3038;--ink:#eceef2;--soft:#a2a7b3;--accent:#a9b8ff}}
*{box-sizing:border-box}
body{margin:0;background:var(--canvas);color:var(--ink);font:15px/1.5 Inter,system-ui,sans-serif}
main{max-width:48rem;margin:0 auto;padding:2rem 1rem 4rem}
h1{margin:0 0 .25rem;font-size:1.5rem;letter-spacing:-.01em}
.brand{margin:0 0 1.5rem;font-weight:600}
.soft{color:var(--soft);font-size:.875rem}
.mail,.empty{margin:1rem 0;border:1px solid var(--line);border-radius:12px;background:var(--surface);overflow:hidden}
.empty{padding:2.5rem 1.5rem;text-align:center;color:var(--soft)}
.empty strong{color:var(--ink)}
summary{cursor:pointer;padding:.5rem 0;font-weight:500}
.mail>summary{display:grid;gap:.125rem;padding:.875rem 1.25rem;overflow-wrap:anywhere}
summary:focus-visible,a:focus-visible{outline:2px solid var(--accent);outline-offset:-2px;border-radius:8px}
.body{padding:0 1.25rem 1rem;border-top:1px solid var(--line)}
.link{overflow-wrap:anywhere}
a{color:var(--accent)}
iframe{display:block;width:100%;height:42rem;margin:1rem 0;border:1px solid var(--line);border-radius:8px}
pre{margin:0 0 .75rem;padding:.875rem;border-radius:8px;background:var(--sunken);font:13px/1.55 ui-monospace,Menlo,Consolas,monospace;white-space:pre-wrap;overflow-wrap:anywhere}
`
