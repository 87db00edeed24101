/** Two open pages of one mailbox: what happens is seen in both, and they ask what is new instead of reading their lists again. */
import { type Browser, expect, type Page } from '@playwright/test'
import { writeMessage } from '#server/standards/message-writer.ts'
import type { Product } from '#test-world/product.ts'
import { aReader, type Reader } from '#test-world/reader.ts'
import { sendMail } from '#test-world/smtp/smtp-client.ts'
import { getSession } from './browsers.ts'
import { opened, test } from './specification/setting.ts'

const ELSEWHERE = 'grace@elsewhere.example'
const MANY = 53

let product: Product
let reader: Reader

test.beforeEach(async ({ setting }) => {
  product = setting.product
  reader = await aReader(product.dataDir)
})

test('new mail, marks, moves and deletions reach the other page, and no list is read again', async ({
  page,
  browser,
}) => {
  // More than a page of the list: the last row of a page moves up when another leaves.
  for (let n = 1; n < MANY; n += 4)
    await Promise.all([0, 1, 2, 3].map((more) => receive(`Letter ${n + more}`)))
  await receive(`Letter ${MANY}`)
  await openMail(page)
  const other = await anotherPage(browser)
  const asked = [asksOf(page), asksOf(other)]

  await receive('Fresh')
  for (const each of [page, other]) await expect(row(each, 'Fresh')).toContainText('Fresh.')
  const first = page.getByRole('link', { name: /Letter|Fresh/ })
  await expect(first.first()).toHaveAccessibleName(/Fresh/)
  await expect(inbox(other)).toHaveAccessibleName(/54 unread/)

  await row(page, 'Letter 53').focus()
  await page.keyboard.press('s')
  const star = other.getByRole('button', { name: 'Star Letter 53' })
  await expect(star).toHaveAttribute('aria-pressed', 'true')

  await row(page, 'Fresh').focus()
  await page.keyboard.press('e')
  for (const each of [page, other]) await expect(row(each, 'Fresh')).toHaveCount(0)
  await expect(inbox(other)).toHaveAccessibleName(/53 unread/)

  // An answer joins its conversation, which comes to the top, in both.
  await receive('Re: Letter 7', 'Letter-7@elsewhere.example')
  for (const each of [page, other]) {
    await expect(row(each, 'Letter 7')).toContainText('2')
    await expect(first.first()).toHaveAccessibleName(/Letter 7/)
  }
  await row(other, 'Letter 7').click()
  await expect(other.getByRole('article', { name: /Letter 7/ }).first()).toBeVisible()
  await expect(row(page, 'Letter 7')).not.toHaveAccessibleName(/[Uu]nread/)

  for (const asks of asked) {
    expect(asks.filter((path) => /\/(conversations|folders)$/.test(path))).toEqual([])
    expect(asks.some((path) => path.endsWith('/conversations/changes'))).toBe(true)
  }
  await other.context().close()
})

test('after a while without connection a page asks once what it missed', async ({
  page,
  browser,
}) => {
  await receive('Before')
  await openMail(page)
  const other = await anotherPage(browser)
  const asks = asksOf(other)
  await other.context().setOffline(true)
  await receive('Missed')
  await row(page, 'Before').focus()
  await page.keyboard.press('e')
  await expect(row(page, 'Before')).toHaveCount(0)
  await other.context().setOffline(false)
  await expect(row(other, 'Missed')).toBeVisible({ timeout: 30_000 })
  await expect(row(other, 'Before')).toHaveCount(0)
  expect(asks.filter((path) => path.endsWith('/conversations'))).toEqual([])
  await other.context().close()
})

const row = (page: Page, subject: string) =>
  page
    .getByRole('region', { name: 'Messages' })
    .getByRole('link', { name: new RegExp(`${subject}\\b`) })

const inbox = (page: Page) => page.getByRole('link', { name: /^Inbox/ }).first()

/** The paths that a page asks the API for, from now on. */
const asksOf = (page: Page): string[] => {
  const asks: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/v1/mailboxes/')) asks.push(pathname)
  })
  return asks
}

const openMail = async (page: Page): Promise<void> => {
  await getSession(page, reader)
  await opened(page, `${product.url}/dashboard/view-mail?mailbox=${reader.mailboxId}`)
}

const anotherPage = async (browser: Browser): Promise<Page> => {
  const context = await browser.newContext({ baseURL: product.url })
  const other = await context.newPage()
  await openMail(other)
  return other
}

const receive = async (subject: string, inReplyTo?: string): Promise<void> => {
  const raw = await writeMessage({
    from: { name: 'Grace', address: ELSEWHERE },
    to: [{ name: '', address: reader.address }],
    messageId: `${subject.replaceAll(/\W+/g, '-')}@elsewhere.example`,
    ...{ subject, text: `${subject}.`, html: '', date: new Date(), attachments: [] },
    ...(inReplyTo === undefined ? {} : { inReplyTo }),
  })
  expect(await sendMail(product.smtpPort, { from: ELSEWHERE, to: reader.address, raw })).toMatch(
    /^250 /,
  )
}
