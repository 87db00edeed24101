/** Mails of strangers are shown, and nothing in them runs, loads, or leaves its frame. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, type Page } from '@playwright/test'
import { writeMessage } from '#server/standards/message-writer.ts'
import type { Product } from '#test-world/product.ts'
import { aReader, type Reader } from '#test-world/reader.ts'
import { sendMail } from '#test-world/smtp/smtp-client.ts'
import { getSession } from './browsers.ts'
import { hostilePayloads, hostileTexts, MARK } from './hostile/payloads.ts'
import { covering } from './hostile/styling.ts'
import { isWhole, sampleOf } from './sample.ts'
import { opened, test } from './specification/setting.ts'

const HONEST = 'This much of the letter is honest.'
/** The list below has all of them, so that the key for the next finds each. */
const AT_ONCE = 40
const WHOLE_MS = 3_600_000

let product: Product
let reader: Reader
let spy: Server
let spyUrl = ''
let connections = 0
let requests = 0

test.beforeAll(async ({ setting }) => {
  spy = createServer((_request, response) => {
    requests += 1
    response.end()
  })
  spy.on('connection', () => {
    connections += 1
  })
  await new Promise<void>((done) => spy.listen(0, '127.0.0.1', done))
  spyUrl = `http://127.0.0.1:${(spy.address() as AddressInfo).port}`
  product = setting.product
  reader = await aReader(product.dataDir)
})
test.beforeEach(() => {
  connections = 0
  requests = 0
})
test.afterAll(() => void spy.close())

test('hostile mails run nothing, load nothing and keep to their frame', async ({ page }) => {
  beLong()
  const payloads = sampleOf(hostilePayloads(spyUrl), 80)
  expect(payloads.length).toBeGreaterThan(7)
  const faults = watch(page)
  await signIn(page)
  await readAll(page, payloads, 'Hostile')
  expect(await hasRun(page)).toBe(false)
  expect(faults).toEqual([])
  expect(connections).toBe(0)
})

test('the sanitiser holds by itself: in a frame without policy and sandbox nothing runs or loads', async ({
  page,
}) => {
  beLong()
  // From the other end, so that a sample tries others.
  const payloads = sampleOf(hostilePayloads(spyUrl).reverse(), 80)
  const faults = watch(page)
  await withoutWalls(page)
  await signIn(page)
  await readAll(page, payloads, 'Unwalled')
  expect(await hasRun(page)).toBe(false)
  expect(faults).toEqual([])
  expect(connections).toBe(0)
  // The walls are away indeed: what is not sanitised runs.
  await page.evaluate(() => {
    const frame = document.querySelector<HTMLIFrameElement>('article iframe')
    if (frame?.contentDocument)
      frame.contentDocument.body.innerHTML = '<img src=x onerror="top.pwned=1">'
  })
  await expect.poll(() => hasRun(page)).toBe(true)
})

test('the frame holds by itself: what the sanitiser would let through does not run, load or cover what is around it', async ({
  page,
}) => {
  beLong()
  await receive('Innocent', '<p>Nothing here</p>')
  // Blocked attempts appear as requests and on the console too; only what gets through counts here.
  const faults = watch(page, { areAttemptsHeard: false })
  await signIn(page)
  await openMail(page, 'Innocent')
  await expect(paper(page).getByText(HONEST)).toBeVisible()
  const isOurs = (payload: string) => !/refresh/.test(payload)
  for (const some of inParts(sampleOf(hostilePayloads(spyUrl).filter(isOurs), 5), 50))
    await putIntoFrame(page, some)
  expect(await hasRun(page)).toBe(false)
  expect(faults).toEqual([])
  // For a frame in a frame Chromium dials before it reads the policy, and then asks nothing.
  expect(requests).toBe(0)

  const around = await aroundFrame(page)
  for (const payload of sampleOf(covering, 4)) {
    await putIntoFrame(page, [payload])
    expect((await aroundFrame(page)).equals(around), payload).toBe(true)
  }
})

test('what strangers call themselves, their mail and their files is text', async ({ page }) => {
  const texts = sampleOf(hostileTexts, 4)
  const faults = watch(page)
  for (const [index, text] of texts.entries()) await receiveNamed(`${text} ${index}`, text)
  await signIn(page)
  for (const [index, text] of texts.entries()) {
    const subject = `${text} ${index}`
    await page.getByRole('link').filter({ hasText: subject }).first().click()
    await expect(page.getByRole('heading', { name: subject, exact: true })).toBeVisible()
    await page.getByRole('button', { name: /^to / }).click()
    await expect(page.getByText('Cc', { exact: true })).toBeVisible()
    await expect(page.getByRole('region', { name: 'Attachments' })).toBeVisible()
    await expect(page.locator(`[${MARK}]`)).toHaveCount(0)
  }
  expect(await hasRun(page)).toBe(false)
  expect(faults).toEqual([])
  expect(connections).toBe(0)
})

test('an honest mail keeps its look, its own pictures and its links', async ({ page }) => {
  const logo = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNk+M9Qz0AEYBxVSF+FABJADveWkH6oAAAAAElFTkSuQmCC',
    'base64',
  )
  await receive(
    'The garden plan',
    `<table bgcolor="#112233" width="300"><tr><td style="color:#ffffff;padding:10px">Cell</td></tr></table>
     <img src="cid:logo@x" alt="Logo"><img src="${spyUrl}/big.png" width="200" height="80" alt="A view">
     <a href="https://example.com/a">Read on</a> <a href="https://evil.example/">www.bank.example</a>`,
    [{ filename: 'logo.png', contentType: 'image/png', content: logo, contentId: 'logo@x' }],
  )
  await signIn(page)
  await openMail(page, 'The garden plan')
  const cell = paper(page).getByText('Cell')
  await expect(cell).toHaveCSS('color', 'rgb(255, 255, 255)')
  await expect(cell).toHaveCSS('padding-top', '10px')
  await expect(page.getByText(/^Pictures are not shown/)).toBeVisible()
  await expect(paper(page).getByText('A view')).toBeVisible()
  await expect
    .poll(() =>
      paper(page)
        .getByAltText('Logo')
        .evaluate((image) => (image as HTMLImageElement).naturalWidth),
    )
    .toBe(10)
  const link = paper(page).getByRole('link', { name: 'Read on' })
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer nofollow')
  await expect(link).toHaveAttribute('target', '_blank')
  await expect(paper(page).getByText('(leads to evil.example)')).toBeVisible()
  await link.hover()
  await expect(page.getByText('Opens example.com')).toBeVisible()
  expect(connections).toBe(0)
})

/** All of them take minutes. */
const beLong = () => (isWhole ? test.setTimeout(WHOLE_MS) : test.slow())

const inParts = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_part, at) =>
    all.slice(at * size, (at + 1) * size),
  )

/** Receives the payloads as mails and opens each. */
const readAll = async (page: Page, payloads: readonly string[], name: string): Promise<void> => {
  for (const [part, some] of inParts(payloads, AT_ONCE).entries()) {
    const subject = (index: number) => `${name} ${part}-${index}`
    for (const [index, payload] of some.entries()) await receive(subject(index), payload)
    // The list stays where one reads, and what is far from there is not in the page.
    if (part > 0) await opened(page, `${product.url}/dashboard/view-mail`)
    // Newest first, and on with the key for the next.
    for (const index of [...some.keys()].reverse()) {
      if (index === some.length - 1) await openMail(page, subject(index))
      else await page.keyboard.press('j')
      await expect(page.getByRole('article', { name: subject(index), exact: true })).toBeVisible()
      await expect(paper(page).getByText(HONEST)).toBeVisible()
      expect(await strangeThings(page), some[index]).toEqual([])
    }
  }
}

const hasRun = (page: Page) => page.evaluate(() => 'pwned' in window)

/** The frame of a mail as any page would be: no policy, no sandbox. */
const withoutWalls = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    const { setAttribute } = Element.prototype
    Element.prototype.setAttribute = function (name, value) {
      if (name !== 'sandbox') setAttribute.call(this, name, value)
    }
  })
  await page.route('**/mail-frame', (route) =>
    route.fulfill({
      contentType: 'text/html; charset=utf-8',
      body: '<!doctype html><html lang="en"><head><title>Message</title></head><body></body></html>',
    }),
  )
}

/** As they are, by a way that would run their scripts. */
const putIntoFrame = (page: Page, payloads: readonly string[]): Promise<void> =>
  page.evaluate(async (all) => {
    const room = document.querySelector<HTMLIFrameElement>('article iframe')?.contentDocument
    if (!room) throw new Error('there is no frame')
    for (const payload of all) {
      room.body.replaceChildren(room.createRange().createContextualFragment(payload))
      const script = room.createElement('script')
      script.textContent = 'top.pwned=1'
      room.body.append(script)
      await new Promise((done) => requestAnimationFrame(done))
    }
  }, payloads)

/** A picture of what stands beside and above the message. */
const aroundFrame = async (page: Page): Promise<Buffer> => {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  const { x, y } = (await page.getByRole('article').boundingBox()) ?? { x: 0, y: 0 }
  const left = await page.screenshot({ clip: { x: 0, y: 0, width: x, height } })
  const above = await page.screenshot({ clip: { x, y: 0, width: width - x, height: y } })
  return Buffer.concat([left, above])
}

const receiveNamed = async (subject: string, name: string): Promise<void> => {
  const person = { name, address: 'stranger@elsewhere.example' }
  const raw = await writeMessage({
    from: person,
    to: [{ name, address: reader.address }],
    cc: [person],
    messageId: `${crypto.randomUUID()}@elsewhere.example`,
    ...{ subject, date: new Date(), text: name },
    attachments: [
      { filename: name, contentType: 'text/html', content: Buffer.from(name) },
      { filename: `${name}.png`, contentType: 'image/png', content: Buffer.from(name) },
    ],
  })
  const letter = { from: 'stranger@elsewhere.example', to: reader.address, raw }
  expect(await sendMail(product.smtpPort, letter)).toMatch(/^250 /)
}

const paper = (page: Page) => page.frameLocator('article iframe')

const receive = async (
  subject: string,
  html: string,
  attachments: Parameters<typeof writeMessage>[0]['attachments'] = [],
): Promise<void> => {
  const raw = await writeMessage({
    from: { name: 'A stranger', address: 'stranger@elsewhere.example' },
    to: [{ name: '', address: reader.address }],
    subject,
    messageId: `${subject.replaceAll(' ', '-')}@elsewhere.example`,
    date: new Date(),
    text: '',
    html: `<p>${HONEST}</p>${html}`,
    attachments,
  })
  const letter = { from: 'stranger@elsewhere.example', to: reader.address, raw }
  expect(await sendMail(product.smtpPort, letter)).toMatch(/^250 /)
}

const signIn = async (page: Page): Promise<void> => {
  await getSession(page, reader)
  await opened(page, '/dashboard/view-mail')
}

const openMail = async (page: Page, subject: string): Promise<void> => {
  await page.getByRole('link').filter({ hasText: subject }).click()
  await expect(page.getByRole('article', { name: subject, exact: true })).toBeVisible()
}

/**
 * The visitor had no session. And of handlers, media and a base that the browser parses, in a document without a window
 * that would ask for nothing, it says that the policy of the frame forbids them.
 */
const expected =
  /401|Blocked script execution in '[^']*\/mail-frame'|^(?:Loading media from|Setting the document's base URI) .* The action has been blocked\.$/

/** Fills with whatever a mail must not do. */
const watch = (page: Page, { areAttemptsHeard = true } = {}): string[] => {
  const faults: string[] = []
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('popup', (popup) => faults.push(`window: ${popup.url()}`))
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`))
  if (!areAttemptsHeard) return faults
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(product.url) && !/^(?:data|blob):/.test(url)) faults.push(`request: ${url}`)
  })
  page.on('framenavigated', (frame) => {
    if (!frame.url().startsWith(product.url)) faults.push(`went to ${frame.url()}`)
  })
  page.on('console', (message) => {
    const isExpected = expected.test(message.text())
    if (!isExpected && message.type() === 'error') faults.push(message.text())
  })
  return faults
}

/** Elements and attributes in the frame that no mail may have. */
const strangeThings = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const body = document.querySelector<HTMLIFrameElement>('article iframe')?.contentDocument?.body
    if (!body) return ['there is no frame']
    const foreign =
      'script,style,svg,math,form,input,iframe,object,embed,link,meta,base,video,audio'
    const found = [...body.querySelectorAll(foreign)].map(({ localName }) => localName)
    for (const element of body.querySelectorAll('*'))
      for (const { name, value } of element.attributes) {
        const isHandler = name.startsWith('on')
        const isStrangeStyle = name === 'style' && /url|position|var|image-set|[\\@]/i.test(value)
        const isStrangeLink = name === 'href' && !/^(?:https?|mailto):/.test(value)
        const isLoading = name === 'src' && !/^(?:blob:|data:image\/(?!svg))/.test(value)
        const isOther = /^(?:srcset|background|ping|action|formaction|poster|id|name)$/.test(name)
        if (isHandler || isStrangeStyle || isStrangeLink || isLoading || isOther)
          found.push(`${element.localName} ${name}=${value}`)
      }
    return found
  })
