/** What I see listed is read before I ask for it, so that it opens at once; but neither what is large nor what costs me dear. */
import type { Page, Request, Route } from '@playwright/test'
import { aDomain, aMailbox, letRead } from '#test-world/builders.ts'
import { ELSEWHERE } from '#test-world/product.ts'
import { sendMail } from '#test-world/smtp/smtp-client.ts'
import { expect, opened, type Person, type Setting, test } from './specification/setting.ts'

/** One message, or several of a list. */
const MESSAGES = /\/api\/v1\/mailboxes\/[^/]+\/(?:messages\/[^/]+$|ahead\?)/

const isReading = (request: Request): boolean =>
  request.method() === 'GET' && MESSAGES.test(request.url())

/** How often the page has asked for messages, and how often they have come. */
const countReadings = (page: Page) => {
  const readings = { begun: 0, done: 0 }
  page.on('request', (request) => {
    if (isReading(request)) readings.begun += 1
  })
  page.on('requestfinished', (request) => {
    if (isReading(request)) readings.done += 1
  })
  return readings
}

const insteadOfReading = (page: Page, answer: (route: Route) => Promise<void>) =>
  page.route(MESSAGES, (route) => (isReading(route.request()) ? answer(route) : route.continue()))

/** Three letters in an Inbox that is not open yet; one of them is large. */
const letters = async (setting: Setting, { page, user, workspace }: Person) => {
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  const mailbox = await aMailbox(setting, { domain })
  await letRead(setting, mailbox, user.id)
  const from = `grace@${ELSEWHERE}`
  for (const [subject, text] of [
    ['The mill', 'Shall we build it?'],
    ['The weir', 'It leaks again.'],
    ['The long tale', 'Once upon a time.\r\n'.repeat(12_000)],
  ] as const) {
    const raw = `From: Grace <${from}>\r\nTo: ${mailbox.email}\r\nSubject: ${subject}\r\nMessage-ID: <${crypto.randomUUID()}@${ELSEWHERE}>\r\n\r\n${text}\r\n`
    expect(await sendMail(setting.product.smtpPort, { from, to: mailbox.email, raw })).toMatch(
      /^250 /,
    )
  }
  const inbox = `/dashboard/view-mail?mailbox=${mailbox.id}`
  return { page, inbox, readings: countReadings(page) }
}

test('the rows that I see open without the network, and stay unread until then', async ({
  setting,
  person,
}) => {
  const { page, inbox, readings } = await letters(setting, person)
  await opened(page, inbox)
  await expect.poll(() => readings.done).toBe(1)
  for (const name of [/Unread.*The mill/, /Unread.*The weir/, /Unread.*The long tale/])
    await expect(page.getByRole('link', { name })).toBeVisible()
  expect(readings.begun).toBe(1)
  await insteadOfReading(page, (route) => route.abort())
  await page.getByRole('link', { name: /The mill/ }).click()
  await expect(page.getByRole('article').getByText('Shall we build it?')).toBeVisible()
  await page.getByRole('link', { name: /The weir/ }).click()
  await expect(page.getByRole('article').getByText('It leaks again.')).toBeVisible()
  await page.unroute(MESSAGES)
  await page.getByRole('link', { name: /The long tale/ }).click()
  await expect(page.getByRole('article').getByText(/Once upon a time/)).toBeVisible()
})

test('what an HTML mail is shown with is there before I open the first one', async ({
  setting,
  person,
}) => {
  const { page, user, workspace } = person
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  const mailbox = await aMailbox(setting, { domain })
  await letRead(setting, mailbox, user.id)
  const inbox = `/dashboard/view-mail?mailbox=${mailbox.id}`
  const frames: string[] = []
  page.on('requestfinished', (request) => {
    if (/\/mail-frame-[^/]*\.js$/.test(request.url())) frames.push(request.url())
  })
  const from = `grace@${ELSEWHERE}`
  const send = async (subject: string, type: string, text: string) => {
    const raw = `From: Grace <${from}>\r\nTo: ${mailbox.email}\r\nSubject: ${subject}\r\nContent-Type: ${type}\r\n\r\n${text}\r\n`
    const letter = { from, to: mailbox.email, raw }
    expect(await sendMail(setting.product.smtpPort, letter)).toMatch(/^250 /)
  }
  await send('The mill', 'text/plain', 'Shall we build it?')
  const readings = countReadings(page)
  await opened(page, inbox)
  await expect.poll(() => readings.done).toBe(1)
  // Whose mail is text alone loads nothing for HTML.
  expect(frames).toEqual([])
  await send('The weir', 'text/html', '<p>It <b>leaks</b> again.</p>')
  await expect.poll(() => frames.length).toBe(1)
  await page.getByRole('link', { name: /The weir/ }).click()
  const frame = page.getByRole('article').frameLocator('iframe')
  await expect(frame.getByText('It leaks again.')).toBeVisible()
  expect(frames).toHaveLength(1)
})

test('a server that refuses is asked once only, and told of when I open one', async ({
  setting,
  person,
}) => {
  const { page, inbox, readings } = await letters(setting, person)
  const refusal = { statusCode: 404, type: 'NOT_EXISTS', message: 'It is gone' }
  await insteadOfReading(page, (route) => route.fulfill({ status: 404, json: refusal }))
  await opened(page, inbox)
  await expect.poll(() => readings.done).toBe(1)
  const told = page.getByText('This message is no longer here')
  await expect(told).toHaveCount(0)
  await page.getByRole('link', { name: /The mill/ }).click()
  await expect(told).toBeVisible()
  // The rows that are not large, and what I pointed at.
  expect(readings.begun).toBeLessThanOrEqual(3)
})

test('who saves data reads what they point at, and nothing else', async ({ setting, person }) => {
  const { page, inbox, readings } = await letters(setting, person)
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
  )
  await page.clock.install()
  await opened(page, inbox)
  await page.clock.runFor(2_000)
  const row = page.getByRole('link', { name: /The weir/ })
  await row.hover()
  await expect.poll(() => readings.done).toBe(1)
  expect(readings.begun).toBe(1)
  await insteadOfReading(page, (route) => route.abort())
  await row.click()
  await expect(page.getByRole('article').getByText('It leaks again.')).toBeVisible()
})
