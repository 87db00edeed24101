/**
 * A system mail as HTML, for mail programs of any age: tables, styles at each element, a button that is a table cell. What is
 * in the style sheet is only for programs that know dark mode and narrow screens. Nothing is loaded from anywhere.
 */
import { escapeHtml } from '#server/lib/escape-html.ts'

/** A sentence or more; or a value that the reader copies, such as that of a DNS record. */
export type Paragraph = string | { value: string }

/** What both forms of a mail show. */
export type Letter = {
  subject: string
  preview: string
  greeting: string
  before: readonly Paragraph[]
  button: { label: string; link: string }
  after: readonly Paragraph[]
  /** Of the installation. */
  host: string
  reason: string
  ending: { text: string; link: string } | null
}

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const MONO = "font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'Courier New',monospace"
const ACCENT = '#3150d8'
const TABLE = 'role="presentation" cellpadding="0" cellspacing="0" border="0"'

/** Programs show the start of the text behind the subject; this much space keeps the greeting out of it. */
const PREVIEW_END = '&#847;&zwnj;&nbsp;'.repeat(60)

const STYLES = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (max-width:480px){.card{padding:24px 20px!important}}
@media (prefers-color-scheme:dark){
.page{background:#141417!important}
.card{background:#212125!important;border-color:#37373d!important}
.ink,.card h1,.card p{color:#ececef!important}
.soft,.card p.soft{color:#a8a8b3!important}
.value{background:#141417!important;border-color:#37373d!important;color:#ececef!important}
.link{color:#a9b8ff!important}
}`

export const letterHtml = (letter: Letter): string => {
  const { subject, preview, greeting, before, button, after } = letter
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${STYLES}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f4f4f5">
<div style="display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px;mso-hide:all">${escapeHtml(preview)}${PREVIEW_END}</div>
<table ${TABLE} width="100%" class="page" bgcolor="#f4f4f5" style="background:#f4f4f5">
<tr><td align="center" style="padding:28px 12px">
<!--[if mso]><table ${TABLE} width="560"><tr><td><![endif]-->
<table ${TABLE} width="100%" style="max-width:560px;text-align:left">
<tr><td class="ink" style="padding:0 4px 14px;${FONT};font-size:17px;line-height:24px;font-weight:600;color:#18181b">Mailstead</td></tr>
<tr><td class="card" bgcolor="#ffffff" style="padding:32px;background:#ffffff;border:1px solid #e4e4e7;border-radius:12px">
<h1 style="margin:0 0 18px;${FONT};font-size:21px;line-height:28px;font-weight:600;color:#18181b;overflow-wrap:anywhere">${escapeHtml(subject)}</h1>
${paragraphs([greeting, ...before])}
${buttonHtml(button)}
<p class="soft" style="margin:0 0 18px;${FONT};font-size:13px;line-height:20px;color:#5b5b66">Or open this address:<br>${linkHtml(button.link)}</p>
${paragraphs(after)}
</td></tr>
<tr><td class="soft" style="padding:16px 4px 0;${FONT};font-size:13px;line-height:20px;color:#5b5b66">${footerHtml(letter)}</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr>
</table>
</body>
</html>
`
}

const paragraphs = (all: readonly Paragraph[]): string => all.map(paragraphHtml).join('\n')

const paragraphHtml = (paragraph: Paragraph): string =>
  typeof paragraph === 'string'
    ? `<p style="margin:0 0 16px;${FONT};font-size:16px;line-height:24px;color:#18181b;overflow-wrap:anywhere">${escapeHtml(paragraph)}</p>`
    : `<table ${TABLE} width="100%" style="margin:0 0 16px;table-layout:fixed"><tr><td class="value" bgcolor="#f4f4f5" style="padding:12px 14px;background:#f4f4f5;border:1px solid #e4e4e7;border-radius:8px;${MONO};font-size:14px;line-height:21px;color:#18181b;word-break:break-all">${escapeHtml(paragraph.value).replaceAll('\n', '<br>')}</td></tr></table>`

/** Outlook knows padding of a cell alone, and all others that of a link, which is then as large as the button. */
const buttonHtml = ({ label, link }: Letter['button']): string =>
  `<table ${TABLE} style="margin:24px 0"><tr><td bgcolor="${ACCENT}" style="background:${ACCENT};border-radius:8px;mso-padding-alt:12px 22px"><a href="${escapeHtml(link)}" style="display:inline-block;padding:12px 22px;${FONT};font-size:16px;line-height:24px;font-weight:600;color:#ffffff;text-decoration:none">${escapeHtml(label)}</a></td></tr></table>`

const linkHtml = (link: string): string =>
  `<a class="link" href="${escapeHtml(link)}" style="color:${ACCENT};word-break:break-all">${escapeHtml(link)}</a>`

const footerHtml = ({ host, reason, ending }: Letter): string =>
  [
    `Mailstead at ${escapeHtml(host)}`,
    escapeHtml(reason),
    ...(ending ? [`${escapeHtml(ending.text)} ${linkHtml(ending.link)}`] : []),
  ].join('<br>')
