/** I read my mail: its pictures come when I want them, its links say where they lead, and it can be read on a phone. */
import { readFileSync } from 'node:fs'
import { expect, type FrameLocator, type Page } from '@playwright/test'
import { writeMessage } from '#server/standards/message-writer.ts'
import { aHostileWeb, type HostileWeb, PNG } from '#test-world/outgoing/hostile-web.ts'
import type { Product } from '#test-world/product.ts'
import { aReader, type Reader } from '#test-world/reader.ts'
import { mailsWithFiles } from '#test-world/real-mail/files.ts'
import { letters } from '#test-world/real-mail/letters.ts'
import type { MailKind } from '#test-world/real-mail/mail-kind.ts'
import { sendMail } from '#test-world/smtp/smtp-client.ts'
import { getSession } from './browsers.ts'
import { shiftOf, watchShifts } from './failures/world.ts'
import { swipe } from './finger.ts'
import { holding, opened, test } from './specification/setting.ts'

let product: Product
let reader: Reader
let web: HostileWeb

test.beforeAll(async ({ setting }) => {
  web = await aHostileWeb()
  product = setting.product
  reader = await aReader(product.dataDir)
})
test.afterAll(() => web.close())

test('pictures wait for my word, links say where they lead, and I take a message along', async ({
  page,
}) => {
  const asked = asksOf(page)
  await receive({
    subject: 'The Tide Table',
    html: newsletter(),
    attachments: [
      { filename: 'view.png', contentType: 'application/octet-stream', content: PNG },
      { filename: 'plan.pdf', contentType: 'application/pdf', content: Buffer.from('%PDF-1.4') },
      {
        filename: 'lie.png',
        contentType: 'image/png',
        content: Buffer.from('<svg onload=alert(1)>'),
      },
      {
        filename: 'lie.pdf',
        contentType: 'application/pdf',
        content: Buffer.from('<script>alert(1)</script>'),
      },
      {
        filename: `${'invoice-'.repeat(12)}2026.pdf.txt`,
        contentType: 'application/octet-stream',
        content: Buffer.from('MZ'),
      },
    ],
  })
  await signIn(page)
  await page.getByRole('link', { name: /The Tide Table/ }).click()
  const note = page.getByRole('region', { name: 'Pictures' })
  await expect(
    note.getByText(
      'Pictures are not shown, so that the sender does not learn that you read this.',
      {
        exact: true,
      },
    ),
  ).toBeVisible()
  await expect(paper(page).getByText('A view of the harbour')).toBeVisible()
  expect(web.seen).toEqual([])

  // The sender was not proven, so that 'always' is not offered to a mere name.
  await expect(note.getByRole('button', { name: 'Always from this sender' })).toHaveCount(0)
  await note.getByRole('button', { name: 'Show pictures' }).click()
  await expect.poll(() => widthOf(paper(page), 'A view of the harbour')).toBe(10)
  await expect(note).toHaveText('1 picture could not be loaded.')
  // Each once, by us, with nothing of mine; and the one too small to be seen never.
  expect(web.seen.map(({ url }) => url).sort()).toEqual(['/missing.png', '/view.png?a=1&b=2'])
  for (const { headers } of web.seen) {
    expect(headers['user-agent']).toBe('Mozilla/5.0 (compatible)')
    for (const name of ['cookie', 'referer', 'authorization', 'origin'])
      expect(headers).not.toHaveProperty(name)
  }
  expect(asked.filter((url) => !url.startsWith(product.url))).toEqual([])

  await expect(paper(page).getByText('(leads to evil.example)')).toBeVisible()
  const bare = paper(page).getByRole('link', { name: 'www.harbour.example/plan' })
  await expect(bare).toHaveAttribute('rel', 'noopener noreferrer nofollow')
  await bare.hover()
  await expect(page.getByText('Opens www.harbour.example')).toBeVisible()
  await paper(page).getByRole('link', { name: 'Write to us' }).click()
  const letter = page.getByRole('dialog', { name: 'New message' })
  await expect(letter.getByText('office@harbour.example')).toBeVisible()
  await expect(letter.getByLabel('Subject')).toHaveValue('A berth')
  await letter.getByRole('button', { name: 'Close' }).click()
  await expect(letter).toHaveCount(0)

  await expect(paper(page).getByText('What you wrote before')).toBeHidden()
  await paper(page).getByLabel('Quoted text').click()
  await expect(paper(page).getByText('What you wrote before')).toBeVisible()

  // Too long for its place, and seen for what it is all the same.
  const end = page.getByText('26.pdf.txt', { exact: true })
  await end.scrollIntoViewIfNeeded()
  await expect(end).toBeInViewport({ ratio: 1 })

  await page.getByRole('button', { name: 'Show view.png' }).click()
  const preview = page.getByRole('dialog', { name: 'view.png' })
  await expect(preview.getByRole('img', { name: 'view.png' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Show lie.png' }).click()
  await expect(page.getByText('The content of this file is not a picture.')).toBeVisible()
  await page.keyboard.press('Escape')

  await noteTabs(page)
  await page.getByRole('button', { name: 'Show plan.pdf' }).click()
  const tabs = () => page.evaluate(() => window.tabs)
  await expect.poll(tabs).toEqual([{ type: 'application/pdf', text: '%PDF-1.4' }])
  await page.getByRole('button', { name: 'Show lie.pdf' }).click()
  await expect(
    page.getByText('The content of this file is not a PDF.', { exact: true }),
  ).toBeVisible()
  expect(await tabs()).toHaveLength(1)

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Show original' }).click()
  const original = page.getByRole('dialog', { name: 'Original' })
  await expect(original.getByRole('region', { name: 'Checks' })).toContainText(
    'The message is not signed.',
  )
  await expect(original.getByRole('region', { name: 'Header' })).toContainText('The Tide Table')
  await expect(original.getByRole('region', { name: 'Lines of the source' })).toContainText(
    'MIME-Version: 1.0',
  )
  const download = page.waitForEvent('download')
  await original.getByRole('button', { name: 'Download' }).click()
  expect(readFileSync(await (await download).path(), 'utf8')).toContain('Subject: The Tide Table')
  await page.keyboard.press('Escape')
  await expect(original).toHaveCount(0)

  const printed = await printedBy(page, () => page.keyboard.press('Control+p'))
  expect(printed).toMatch(/<title>The Tide Table<\/title>/)
  for (const text of ['news@elsewhere.example', reader.address, 'plan.pdf', 'blob:'])
    expect(printed).toContain(text)
  expect(web.seen).toHaveLength(2)
})

test('a newsletter made for a wide window is read on a phone, its pictures always when I say so', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  // Who sends from here is proven to be who they say.
  product.dns.zone('proven.example')
  product.dns.set('proven.example', 'TXT', ['v=spf1 ip4:127.0.0.1 -all'])
  product.dns.set('_dmarc.proven.example', 'TXT', ['v=DMARC1; p=none'])
  for (const subject of ['Wide', 'Second'])
    await receive({ subject, html: newsletter(), sender: 'news@proven.example' })
  await signIn(page)
  await page.getByRole('link', { name: /Wide/ }).click()
  await expect(paper(page).getByText('A view of the harbour')).toBeVisible()
  const frame = page.locator('article iframe')
  await expect
    .poll(() =>
      frame.evaluate((element: HTMLIFrameElement) => {
        const paper = element.contentDocument
        const body = paper?.body
        if (!paper || !body) return null
        const text = paper.querySelector('.small, td[style*="14px"]') as HTMLElement
        return {
          isWhole: paper.documentElement.scrollWidth <= element.clientWidth,
          isHigh: Math.abs(body.getBoundingClientRect().height - element.clientHeight) < 2,
          isReadable:
            Number.parseFloat(getComputedStyle(text).fontSize) * Number(body.style.zoom || 1) >= 11,
        }
      }),
    )
    .toEqual({ isWhole: true, isHigh: true, isReadable: true })

  const note = page.getByRole('region', { name: 'Pictures' })
  await note.getByRole('button', { name: 'Always from this sender' }).click()
  await expect(note).toContainText('Pictures from news@proven.example are always shown.')
  await page.getByRole('button', { name: 'Back to the list' }).click()
  await page.getByRole('link', { name: /Second/ }).click()
  await expect.poll(() => widthOf(paper(page), 'A view of the harbour')).toBe(10)
  await page.goto(`${product.url}/dashboard/mail-box-settings?mailbox=${reader.mailboxId}`)
  await page.getByRole('button', { name: 'Remove news@proven.example' }).click()
  await expect(page.getByText(/^No senders yet/)).toBeVisible()
  await page.goBack()
  await expect(note).toContainText('Pictures are not shown')
})

test('a conversation is read where it stands, message by message', async ({ page }) => {
  await receive({ subject: 'The mill', html: '<p>Shall we build it?</p>' })
  await receive({ subject: 'Re: The mill', html: '<p>Yes, by the river.</p>', answers: 'The-mill' })
  await signIn(page)
  const patched: string[] = []
  page.on('response', (answer) => {
    if (answer.request().method() === 'PATCH') patched.push(answer.url())
  })
  await page
    .getByRole('link', { name: /The mill/ })
    .first()
    .click()
  const first = page.getByRole('button', { name: /Shall we build it/ })
  const second = page.getByRole('button', { name: /Yes, by the river/ })
  const frames = page.locator('iframe[title^="Message"]')
  const shown = frames
    .first()
    .contentFrame()
    .getByText(/Shall we build it\?|Yes, by the river\./)
  // Both are unread, so both are open.
  await expect(frames).toHaveCount(2)
  await expect(frames.first().contentFrame().getByText('Shall we build it?')).toBeVisible()
  await expect(frames.last().contentFrame().getByText('Yes, by the river.')).toBeVisible()
  const fold = page.getByRole('button', { name: 'Fold the message from The Tide Table' })
  await expect.poll(() => new Set(patched).size).toBe(2)
  // The event that they were read reaches this page too, at any time: use other messages from here on.
  await page.reload()
  await expect(first.or(second)).not.toHaveAccessibleName(/unread/)
  await expect(shown).toBeVisible()
  const open = new URL(page.url()).searchParams.get('message') ?? ''
  const other = patched.find((address) => !address.endsWith(open))
  await first.or(second).click()
  await expect(frames).toHaveCount(2)
  await fold.click()
  // For a minute it is there at once; then it is asked for again.
  let asked = 0
  page.on('request', (request) => {
    if (request.url() === other) asked += 1
  })
  const now = Date.now()
  for (const [seconds, times] of [
    [50, 0],
    [70, 1],
  ] as const) {
    await page.clock.setFixedTime(now + seconds * 1000)
    await first.or(second).click()
    await expect(frames.first().contentFrame().getByText('Shall we build it?')).toBeVisible()
    await expect.poll(() => asked).toBe(times)
    await fold.click()
  }
  await expect(first.or(second)).toBeVisible()
  // From the older message too, the way back leads to the row of both.
  await page.keyboard.press('p')
  await page.keyboard.press('u')
  await expect(page.getByRole('link', { name: /The mill/ })).toBeFocused()
})

declare global {
  interface Window {
    /** What the browser's viewer was given, a tab each. */
    tabs: { type: string; text: string }[]
  }
}

/** A browser without windows opens no PDF: this notes what it was asked to open. */
const strange = (name: string): MailKind => {
  const found = [...mailsWithFiles, ...letters].find((kind) => kind.name === name)
  if (found === undefined) throw new Error(`there is no mail of the kind '${name}'`)
  return found
}

test('what other programs write in their own way is read, saved as it was sent, and answered', async ({
  page,
}) => {
  const log = strange('a log that is named and not attached')
  const scrambled = strange('a multipart whose boundary never comes')
  const attached = strange('a mail that was attached')
  const answered = [
    strange('a subject folded with a tab'),
    strange('a subject that nobody sees'),
    strange('an address in Chinese'),
  ]
  // Each found by what its row says, so it is opened before the next one comes.
  const openNew = async ({ raw, subject }: MailKind) => {
    expect(await sendMail(product.smtpPort, { to: reader.address, raw })).toMatch(/^250 /)
    const row = page.getByRole('link', { name: subject || '(no subject)' }).first()
    await expect(row).toContainText('Unread.')
    await row.click()
    await expect(page.getByRole('heading', { name: subject || '(no subject)' })).toBeVisible()
  }
  const saved = async (name: string) => {
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: `Download ${name}` }).click()
    return readFileSync(await (await download).path())
  }
  await signIn(page)
  for (const kind of [log, attached]) {
    await openNew(kind)
    await expect(page.getByText('Here it is.').last()).toBeVisible()
    for (const [name, content] of kind.files)
      expect((await saved(name)).equals(content), name).toBe(true)
  }
  await openNew(scrambled)
  await expect(page.getByText('The format of this message could not be read')).toBeVisible()
  await expect(page.getByText('The only words').last()).toBeVisible()
  for (const kind of answered) {
    await openNew(kind)
    await page.getByRole('button', { name: 'Reply', exact: true }).last().click()
    const reply = page.getByRole('dialog', { name: 'Reply' })
    await expect(reply.getByLabel('Subject')).toHaveValue(`Re: ${kind.subject}`.trim())
    await reply.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(page.getByText('Message sent').first()).toBeVisible()
    await expect(reply).toHaveCount(0)
  }
})

test('I leave a list by what its message offers, and am warned of an answer that goes elsewhere', async ({
  page,
}) => {
  const raw = [
    'From: Harbour News <news@harbour.example>',
    'Reply-To: desk@evil.example',
    'Subject: News of the harbour',
    'List-Unsubscribe: <mailto:off@harbour.example?subject=off>',
    ...['', 'High water at noon.', ''],
  ].join('\r\n')
  const letter = { from: 'news@harbour.example', to: reader.address, raw }
  expect(await sendMail(product.smtpPort, letter)).toMatch(/^250 /)
  await signIn(page)
  await page.getByRole('link', { name: /News of the harbour/ }).click()
  await expect(page.getByRole('region', { name: 'Be careful' })).toHaveText(
    'Your answer would go to desk@evil.example, not to harbour.example. Answer only if you expect that.',
  )
  // A sender who proves nothing is as most are: that stands in the details alone.
  await expect(page.getByRole('button', { name: /^Sender not verified/ })).toHaveCount(0)
  const list = page.getByRole('region', { name: 'Mailing list' })
  await list.getByRole('button', { name: 'Unsubscribe' }).click()
  const question = page.getByRole('alertdialog', { name: 'Unsubscribe from Harbour News?' })
  await expect(question).toContainText('We send a message to off@harbour.example. It says: “off”')
  await question.getByRole('button', { name: 'Unsubscribe' }).click()
  await expect(list.getByRole('status')).toContainText('You unsubscribed on')
  await page.getByRole('link', { name: 'Sent' }).first().click()
  await expect(page.getByRole('link', { name: /off@harbour\.example.*off/ })).toBeVisible()
})

test('in the dark I turn a letter on white paper dark, and go through its pictures by the arrow keys', async ({
  page,
}) => {
  await receive({
    subject: 'Two views',
    html: '<p style="color: #111">Both are of the harbour</p>',
    attachments: ['one.png', 'two.png'].map((filename) => ({
      ...{ filename, contentType: 'image/png', content: PNG },
    })),
  })
  await signIn(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.getByRole('link', { name: /Two views/ }).click()
  const frame = page.locator('article iframe')
  await expect(paper(page).getByText('Both are of the harbour')).toBeVisible()
  await page.getByRole('button', { name: 'Dark colours' }).click()
  await expect(frame).toHaveCSS('filter', /^invert/)
  await page.getByRole('button', { name: 'Original colours' }).click()
  await expect(frame).toHaveCSS('filter', /^brightness/)
  await page.getByRole('button', { name: /^Show one.png/ }).click()
  await page.getByRole('dialog', { name: 'one.png' }).getByRole('img').waitFor()
  await page.keyboard.press('ArrowRight')
  const second = page.getByRole('dialog', { name: 'two.png' })
  await expect(second.getByText('2 of 2')).toBeVisible()
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByRole('dialog', { name: 'one.png' })).toBeVisible()

  // So does a finger; a short way, and one up or down, do nothing.
  const picture = (name: string) => page.getByRole('dialog', { name }).getByRole('img')
  await picture('one.png').waitFor()
  await swipe(page, picture('one.png'), -30)
  await swipe(page, picture('one.png'), -120)
  await expect(second.getByText('2 of 2')).toBeVisible()
  await picture('two.png').waitFor()
  await swipe(page, picture('two.png'), 120)
  await expect(page.getByText('1 of 2')).toBeVisible()
})

test('a letter without a font has ours, a wide table says so and fits, and a form leaves no words', async ({
  page,
}) => {
  const cells = (of: (n: number) => string) => Array.from({ length: 16 }, (_, n) => of(n)).join('')
  const table = `<table><tr>${cells((n) => `<td>${n}00,000.00</td>`)}</tr></table>`
  const form = '<form><button>Confirm</button><select><option>One</option></select></form>'
  const link = '<a href="https://harbour.example/"><button>Open it</button></a>'
  const html = `<p>The figures of Łódź</p>${table}${form}${link}`
  await receive({ subject: 'Figures', html })
  await signIn(page)
  await page.getByRole('link', { name: /Figures/ }).click()
  await expect(paper(page).getByText('The figures')).toBeVisible()
  await expect(paper(page).getByText('Confirm')).toHaveCount(0)
  await expect(paper(page).getByText('One')).toHaveCount(0)
  await expect(paper(page).getByRole('link', { name: 'Open it' })).toBeVisible()
  const body = paper(page).locator('body')
  await expect(body).toHaveCSS('font-family', /^Inter/)
  const hasFont = () =>
    body.evaluate(({ ownerDocument: { fonts } }) => {
      const loaded = [...fonts].filter(({ status }) => status === 'loaded')
      return loaded.length >= 2 && fonts.check('15px Inter', 'aŁ')
    })
  await expect.poll(hasFont).toBe(true)

  const widths = () =>
    page.locator('article iframe').evaluate((frame: HTMLIFrameElement) => {
      const root = frame.contentDocument?.documentElement
      const text = frame.contentDocument?.querySelector('p')?.getBoundingClientRect()
      return { isWhole: (root?.scrollWidth ?? 0) <= frame.clientWidth, left: text?.left }
    })
  // The text begins where the head begins, at every scale.
  const left = async () => {
    const [head, frame] = await Promise.all(
      [page.getByRole('heading', { name: 'Figures' }), page.locator('article iframe')].map((each) =>
        each.boundingBox(),
      ),
    )
    return (head?.x ?? 0) - (frame?.x ?? 0)
  }
  for (const [width, edge] of [
    [1440, 24],
    [390, 20],
  ] as const) {
    await page.setViewportSize({ width, height: 844 })
    await expect(page.getByText('Wider than the window: scroll it sideways.')).toBeVisible()
    expect(await left()).toBe(edge)
    await expect.poll(async () => Math.round((await widths()).left ?? 0)).toBe(edge)
    expect((await widths()).isWhole).toBe(false)
    await page.getByRole('button', { name: 'Fit to width' }).click()
    await expect.poll(async () => (await widths()).isWhole).toBe(true)
    await page.getByRole('button', { name: 'Readable size' }).click()
  }
})

test('an invitation comes with its text, so that nothing moves under the eyes', async ({
  page,
}) => {
  const calendar = [
    ...['BEGIN:VCALENDAR', 'METHOD:REQUEST', 'BEGIN:VEVENT', 'UID:quay@x.example'],
    ...['SUMMARY:The quay', 'LOCATION:Harbour office', 'DTSTART:20261201T090000Z'],
    ...['ORGANIZER;CN=Grace:mailto:grace@elsewhere.example', 'END:VEVENT', 'END:VCALENDAR'],
  ].join('\r\n')
  const part = (type: string, content: string) => ['--b', `Content-Type: ${type}`, '', content]
  const raw = [
    ...['From: Grace <grace@elsewhere.example>', 'Subject: The quay', 'MIME-Version: 1.0'],
    ...['Content-Type: multipart/mixed; boundary=b', '', ...part('text/plain', 'Please come.')],
    ...[...part('text/calendar; method=REQUEST', calendar), '--b--', ''],
  ].join('\r\n')
  const letter = { from: 'grace@elsewhere.example', to: reader.address, raw }
  expect(await sendMail(product.smtpPort, letter)).toMatch(/^250 /)
  await watchShifts(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page)
  const release = await holding(page, '/mailboxes/*/messages/*/invitation')
  await page.getByRole('link', { name: /The quay/ }).click()
  const article = page.getByRole('article', { name: 'The quay' })
  await expect(article.getByText('Loading the message')).toBeVisible()
  await expect(article.getByText('Please come.')).toHaveCount(0)
  const before = await shiftOf(page)
  release()
  await expect(article.getByRole('region', { name: 'Invitation' })).toBeVisible()
  await expect(article.getByText('Please come.')).toBeVisible()
  expect((await shiftOf(page)) - before).toBeLessThan(0.01)
  // A reload draws it whole.
  await opened(page)
  await expect(article.getByRole('region', { name: 'Invitation' })).toBeVisible()
  expect(await shiftOf(page)).toBeLessThan(0.05)
})

test('pictures have their room before they come: the text below stays where it is', async ({
  page,
}) => {
  const data = `data:image/png;base64,${LOGO.toString('base64')}`
  await receive({
    subject: 'The logo',
    html: `<p>Look</p><img src="cid:logo@x" width="300" alt="Logo"><br><img src="cid:logo@x" alt="Small"><br>
      <img src="${data}" width="200" alt="Inside"><p>Below</p><img src="cid:other@x">`,
    attachments: [
      { filename: 'l.png', contentType: 'image/png', content: LOGO, contentId: 'logo@x' },
      {
        filename: 'o.svg',
        contentType: 'image/png',
        content: Buffer.from('<svg>'),
        contentId: 'other@x',
      },
    ],
  })
  await signIn(page)
  const release = await holding(page, '/mailboxes/*/messages/*/attachments/*')
  await page.getByRole('link', { name: /The logo/ }).click()
  const [look, below] = [paper(page).getByText('Look'), paper(page).getByText('Below')]
  await expect(below).toBeVisible()
  const heightOf = async () =>
    ((await below.boundingBox())?.y ?? 0) - ((await look.boundingBox())?.y ?? 0)
  const before = await heightOf()
  expect(before).toBeGreaterThan(300 + 10 + 200)
  expect(await widthOf(paper(page), 'Logo')).toBe(1)
  release()
  await expect.poll(() => widthOf(paper(page), 'Logo')).toBe(10)
  expect(await widthOf(paper(page), 'Small')).toBe(10)
  expect(await heightOf()).toBe(before)
})

/** Ten pixels wide and high. */
const LOGO = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNk+M9Qz0AEYBxVSF+FABJADveWkH6oAAAAAElFTkSuQmCC',
  'base64',
)

const noteTabs = (page: Page): Promise<void> =>
  page.evaluate(() => {
    window.tabs = []
    const blobs = new Map<string, Blob>()
    const makeUrl = URL.createObjectURL
    URL.createObjectURL = (blob: Blob) => {
      const url = makeUrl(blob)
      blobs.set(url, blob)
      return url
    }
    const open = window.open.bind(window)
    window.open = (url, ...rest) => {
      const blob = blobs.get(String(url))
      void blob?.text().then((text) => window.tabs.push({ type: blob.type, text }))
      return open(url, ...rest)
    }
  })

/** As they are made: fixed widths, tables in tables, a picture that counts readers. */
const newsletter = () => `<table width="100%" bgcolor="#eef1f6"><tr><td align="center">
  <table width="640" cellpadding="0" bgcolor="#ffffff" style="width:640px"><tr><td width="640" style="padding:24px">
  <img src="${web.url}/view.png?a=1&amp;b=2" width="592" height="200" alt="A view of the harbour">
  <img src="${web.url}/missing.png" width="40" height="40" alt="Gone"><img src="${web.url}/pixel.gif" width="1" height="1">
  <table width="592" style="width:592px"><tr><td width="296" style="font-size:14px;width:296px">High water at noon, and again in the night.</td>
  <td width="296" style="font-size:14px">Low water in the evening. See www.harbour.example/plan for more.</td></tr></table>
  <p><a href="https://evil.example/">www.bank.example</a> <a href="mailto:office@harbour.example?subject=A%20berth">Write to us</a></p>
  </td></tr></table></td></tr></table>
  <div>On Monday, Ada wrote:</div><blockquote>What you wrote before</blockquote>`

const paper = (page: Page) => page.frameLocator('article iframe')

const widthOf = (frame: FrameLocator, alt: string) =>
  frame
    .getByAltText(alt)
    .evaluate((image) => (image as HTMLImageElement).naturalWidth)
    .catch(() => 0)

/** Every request of the page, to any server. */
const asksOf = (page: Page): string[] => {
  const asked: string[] = []
  page.on('request', (request) => {
    if (!/^(?:data|blob):/.test(request.url())) asked.push(request.url())
  })
  return asked
}

/** What would have come out of the printer. */
const printedBy = async (page: Page, print: () => Promise<void>): Promise<string> => {
  await page.evaluate(() => {
    const listen = ({ target }: Event) => {
      const frame = target as HTMLIFrameElement
      if (frame.title !== 'Print' || !frame.contentWindow) return
      frame.contentWindow.print = () => {
        document.body.dataset.printed = frame.contentDocument?.documentElement.outerHTML
      }
    }
    document.addEventListener('load', listen, { capture: true })
  })
  await print()
  await expect(page.locator('body[data-printed]')).toHaveCount(1)
  return (await page.locator('body').getAttribute('data-printed')) ?? ''
}

test('an invitation to an event is answered with Yes, and the organiser gets it', async ({
  page,
}) => {
  const organizer = 'grace@elsewhere.example'
  const calendar = [
    ...['BEGIN:VCALENDAR', 'METHOD:REQUEST', 'BEGIN:VEVENT', 'UID:quay@elsewhere.example'],
    ...['SUMMARY:The engine on the quay', 'DTSTART:20261201T090000Z', 'SEQUENCE:0'],
    ...[`ORGANIZER;CN=Grace:mailto:${organizer}`, `ATTENDEE:mailto:${reader.address}`],
    ...['END:VEVENT', 'END:VCALENDAR', ''],
  ].join('\r\n')
  const raw = await writeMessage({
    from: { name: 'Grace', address: organizer },
    to: [{ name: '', address: reader.address }],
    messageId: 'quay@elsewhere.example',
    ...{ subject: 'Invitation: the quay', date: new Date(), text: 'Please come' },
    calendar: { method: 'REQUEST', content: calendar },
  })
  const letter = { from: organizer, to: reader.address, raw }
  expect(await sendMail(product.smtpPort, letter)).toMatch(/^250 /)
  await signIn(page)
  await page.getByRole('link', { name: /Invitation: the quay/ }).click()
  await expect(page.getByText(`Will you come? ${organizer} gets your answer.`)).toBeVisible()
  await page.getByRole('button', { name: 'Yes', exact: true }).click()
  await expect(page.getByText('You answered Yes.')).toBeVisible()
  const { message } = await product.mailTo(organizer)
  expect(String(message.raw)).toContain('text/calendar; charset=utf-8; method=REPLY')
})

type Given = {
  subject: string
  html: string
  /** The subject of the message answered, as its Message-ID has it. */
  answers?: string
  sender?: string
  attachments?: Parameters<typeof writeMessage>[0]['attachments']
}

const receive = async ({
  subject,
  html,
  answers,
  sender = 'news@elsewhere.example',
  attachments = [],
}: Given): Promise<void> => {
  const raw = await writeMessage({
    from: { name: 'The Tide Table', address: sender },
    to: [{ name: '', address: reader.address }],
    messageId: `${subject.replaceAll(' ', '-')}@elsewhere.example`,
    ...{ subject, date: new Date(), text: '', html, attachments },
    ...(answers ? { inReplyTo: `${answers}@elsewhere.example` } : {}),
  })
  const letter = { from: sender, to: reader.address, raw }
  expect(await sendMail(product.smtpPort, letter)).toMatch(/^250 /)
}

const signIn = async (page: Page): Promise<void> => {
  await getSession(page, reader)
  await opened(page, `${product.url}/dashboard/view-mail?mailbox=${reader.mailboxId}`)
}
