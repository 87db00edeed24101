import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import PostalMime from 'postal-mime'
import { expect, test } from 'vitest'
import { escapeHtml } from '#server/lib/escape-html.ts'
import { writeMessage } from '#server/standards/message-writer.ts'
import { everyMail } from '#test-world/every-mail.ts'
import { compose } from './system-mail.ts'

const kinds = Object.entries(everyMail)
const features = fileURLToPath(new URL('..', import.meta.url))

const unescaped = (html: string): string =>
  html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

/** What a person sees of the HTML, with spaces as one. */
const seenOf = (html: string): string =>
  unescaped(
    html
      .replace(/^[\s\S]*<\/h1>/, '')
      .replace(/<!--.*?-->/g, '')
      .replace(/<[^>]*>/g, ' '),
  ).replace(/\s+/g, ' ')

const previewOf = (html: string): string =>
  unescaped(/mso-hide:all">(.*?)&#847;/.exec(html)?.[1] ?? '')

test('every function that writes a system mail is among the kinds', async () => {
  const files = (await readdir(features, { recursive: true })).filter((name) =>
    /(?<!test)\.ts$/.test(name),
  )
  const texts = await Promise.all(files.map((name) => readFile(`${features}/${name}`, 'utf8')))
  const writers = texts.flatMap((text) =>
    [...text.matchAll(/(\w+Mail) = \([^;]*?\): Mail =>\n? *(?:compose|notice|farewell)\(/g)].map(
      ([, name]) => name,
    ),
  )
  expect(writers.length).toBeGreaterThan(25)
  expect(writers.filter((name) => !(`${name}` in everyMail))).toEqual([])
})

test.each(kinds)(
  '%s: the text has every word, link and value of the HTML',
  (_, { text, html, link }) => {
    const plain = text.replace(/\s+/g, ' ')
    const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => unescaped(href))
    expect(links.length).toBeGreaterThan(0)
    for (const each of links) expect(plain).toContain(each)
    expect(text.split('\n')).toContain(link)
    const sentences = [...html.matchAll(/<(?:p|td) [^>]*>([^<]+)<\/(?:p|td)>/g)].map(
      ([, seen = '']) => seen,
    )
    for (const seen of sentences.slice(1))
      expect(plain).toContain(unescaped(seen).replace(/\s+/g, ' '))
    for (const paragraph of text.split(/\n+/).filter((line) => line !== '-- ' && line !== link))
      expect(seenOf(html)).toContain(paragraph.replace(/\s+/g, ' '))
  },
)

test.each(kinds)('%s: preview, greeting and footer', (_, { subject, text, html }) => {
  const preview = previewOf(html)
  expect(preview.length).toBeGreaterThan(10)
  expect(preview).not.toBe(subject)
  expect(subject).toMatch(/^[\p{Lu}\p{Ll}\d]/u)
  // Who looks at the list of their mail sees who writes: the product, or the address, domain or invoice that it is about.
  expect(subject).toMatch(/Mailstead|\w\.\w|MS-\d|DNS of \d/)
  const [greeting = '', first = ''] = text.split('\n\n')
  expect(greeting).toMatch(/^Hello(?: Olga)?,$/)
  // A sentence begins with a capital, or with an address or a name of a domain.
  expect(first).toMatch(/^(?:\p{Lu}|[\w.-]+@|[\p{L}-]+\.\w)/u)
  expect(text).toMatch(
    /\n\n-- \nMailstead at mail\.example\.net\nYou get this mail [^\n]+\.(?:\n[^\n]+)?\n$/,
  )
})

test.each(kinds)(
  '%s: nothing is loaded from elsewhere, and no line is too long',
  async (_, mail) => {
    expect(mail.html).not.toMatch(/<(?:img|link|script|iframe|object|video)|url\(|@import|src=/i)
    const raw = await writeMessage({
      from: { name: 'Mailstead', address: 'no-reply@mail.example.net' },
      to: [{ name: '', address: 'olga@example.org' }],
      ...{
        subject: mail.subject,
        messageId: 'a@b',
        date: new Date(),
        text: mail.text,
        html: mail.html,
      },
    })
    const lines = raw.toString('latin1').split('\r\n')
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(998)
    expect(raw.toString('latin1')).toMatch(/Content-Transfer-Encoding: (?:7bit|quoted-printable)/)
    expect([...raw].every((byte) => byte < 128)).toBe(true)
    const read = await PostalMime.parse(raw)
    expect(read.subject).toBe(mail.subject)
    expect(read.text?.replaceAll('\r\n', '\n').trimEnd()).toBe(mail.text.trimEnd())
  },
)

test('what people typed becomes no markup, no header and no second line of the preview', () => {
  const typed = '"><script>alert(1)</script>\r\nBcc: eve@evil.example'
  const mail = compose({
    ...{ subject: typed, preview: typed, greeting: typed, before: [typed, { value: typed }] },
    ...{ button: { label: typed, link: 'https://mail.example.net/"onload=x' }, after: [typed] },
  })
  expect(mail.html).not.toMatch(/<script|"onload/)
})

/** For people: every kind one below the other. */
test('all kinds stand on one page, .test/system-mails.html', async () => {
  const folder = fileURLToPath(new URL('../../../.test', import.meta.url))
  const frames = kinds.map(
    ([name, { subject, html }]) =>
      `<h2>${escapeHtml(name)}: ${escapeHtml(subject)}</h2><iframe sandbox srcdoc="${escapeHtml(html)}"></iframe>`,
  )
  const style = 'body{font-family:sans-serif}iframe{width:100%;height:52rem;border:0}'
  await mkdir(folder, { recursive: true })
  await writeFile(
    `${folder}/system-mails.html`,
    `<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>System mails</title><style>${style}</style>${frames.join('')}`,
  )
  expect(frames).toHaveLength(kinds.length)
})
