import { escapeHtml } from '#server/lib/escape-html.ts'

export type Mail = { subject: string; text: string; html: string; link: string | null }

/** Mail clients turn such names into links. */
export const isLikeALink = (name: string): boolean => /:\/\/|@|\p{L}\.\p{L}{2}/u.test(name)

/** A stranger may enter another person's address, and choose a name that looks like a link. */
export const greet = (firstName: string): string =>
  isLikeALink(firstName) ? 'Hello,' : `Hello ${firstName},`

/** Text of strangers for a mail of ours: links are replaced, and the length is cut. */
export const quoted = (text: string, most: number): string => {
  const plain = text.replace(/[a-z][a-z\d+.-]*:\/\/\S*/gi, '(a link)')
  return plain.length > most ? `${plain.slice(0, most).toWellFormed()}...` : plain
}

type Content = {
  subject: string
  greeting: string
  before: string[]
  button: { label: string; link: string }
  after: string[]
}

export const compose = ({ subject, greeting, before, button, after }: Content): Mail => ({
  subject,
  link: button.link,
  text: `${[greeting, ...before, button.link, ...after, 'Mailstead'].join('\n\n')}\n`,
  html: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px;background:#f4f4f5;color:#18181b;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:480px;margin:0 auto;padding:32px;background:#ffffff;border-radius:12px">
<h1 style="margin:0 0 16px;font-size:20px">${escapeHtml(subject)}</h1>
${paragraphs([greeting, ...before])}
<p style="margin:24px 0"><a href="${escapeHtml(button.link)}" style="display:inline-block;padding:12px 20px;background:#1d4ed8;color:#ffffff;border-radius:8px;text-decoration:none">${escapeHtml(button.label)}</a></p>
<p style="margin:0 0 16px;font-size:14px;color:#52525b">Or open this address:<br><a href="${escapeHtml(button.link)}" style="color:#1d4ed8;word-break:break-all">${escapeHtml(button.link)}</a></p>
${paragraphs(after)}
</div>
</body>
</html>
`,
})

const paragraphs = (texts: readonly string[]): string =>
  texts.map((text) => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`).join('\n')
