/** I come back to a conversation in which much was written: what I have not read is open, and it begins where I stopped. */
import { expect, type Page } from '@playwright/test'
import { writeMessage } from '#server/standards/message-writer.ts'
import type { Product } from '#test-world/product.ts'
import { aReader, type Reader } from '#test-world/reader.ts'
import { sendMail } from '#test-world/smtp/smtp-client.ts'
import { getSession } from './browsers.ts'
import { opened, test } from './specification/setting.ts'

let product: Product
let reader: Reader

test.beforeEach(async ({ setting, page }) => {
  product = setting.product
  reader = await aReader(product.dataDir)
  await receive(1)
  await signIn(page)
})

test('all that is unread is open, from the first of it on, and counts as read', async ({
  page,
}) => {
  const row = page.getByRole('link', { name: /The weir/ })
  const isRead = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
  await row.click()
  await isRead
  await page.getByRole('link', { name: 'Sent' }).first().click()
  for (let n = 2; n <= 6; n += 1) await receive(n)
  await signIn(page)
  await expect(row).toContainText('This is letter 6.')
  await row.click()
  const conversation = conversationOf(page)
  for (let n = 2; n <= 6; n += 1)
    await expect(conversation.getByText(`line 30 of ${n}`)).toBeVisible()
  await expect(conversation.getByText('line 30 of 1')).toHaveCount(0)
  await expect.poll(() => topOf(page, 'line 30 of 2')).toBeLessThan(260)
  await expect(row).not.toHaveAccessibleName(/[Uu]nread/)
  // The keys read on without leaving the list, and go into what is open.
  await row.focus()
  await page.keyboard.press('Space')
  await expect.poll(() => topOf(page, 'line 30 of 2')).toBeLessThan(-200)
  await page.keyboard.press('Shift+Space')
  await page.keyboard.press('Enter')
  await expect(conversationOf(page)).toBeFocused()
  // What is answered is the last letter, which I have read, too.
  await page.keyboard.press('r')
  const answer = page.getByRole('dialog', { name: 'Reply', exact: true })
  await answer.getByRole('button', { name: 'Show', exact: true }).click()
  const original = answer.frameLocator('iframe')
  await expect(original.getByText('line 30 of 6')).toBeVisible()
  await expect(original.getByText('line 30 of 2')).toHaveCount(0)
  await expect(page.getByRole('link', { name: /^Inbox/ })).not.toContainText('unread')
})

test('on the phone, too, the first unread letter is what I see', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('link', { name: /The weir/ }).click()
  await expect(conversationOf(page).getByText('line 30 of 1')).toBeVisible()
  await page.getByRole('button', { name: 'Back to the list' }).click()
  for (let n = 2; n <= 4; n += 1) await receive(n)
  await opened(page)
  const row = page.getByRole('link', { name: /The weir/ })
  await expect(row).toContainText('This is letter 4.')
  await row.click()
  await expect(conversationOf(page).getByText('line 30 of 4')).toBeAttached()
  await expect.poll(() => topOf(page, 'line 30 of 2')).toBeLessThan(320)
})

/** The reading pane: the open letters are articles inside it. */
const conversationOf = (page: Page) => page.getByRole('article', { name: 'The weir' }).first()

/** Pixels from the top of the reading pane. */
const topOf = async (page: Page, text: string): Promise<number> => {
  const conversation = conversationOf(page)
  const [pane, shown] = await Promise.all([
    conversation.boundingBox(),
    conversation.getByText(text).first().boundingBox(),
  ])
  return (shown?.y ?? Number.NaN) - (pane?.y ?? 0)
}

const receive = async (n: number): Promise<void> => {
  const lines = Array.from({ length: 30 }, (_, at) => `line ${at + 1} of ${n}`)
  const raw = await writeMessage({
    from: { name: 'Grace', address: 'grace@elsewhere.example' },
    to: [{ name: '', address: reader.address }],
    messageId: `weir-${n}@elsewhere.example`,
    ...{ subject: n === 1 ? 'The weir' : 'Re: The weir', date: new Date(), html: '' },
    text: [`This is letter ${n}.`, ...lines].join('\n\n'),
    attachments: [],
    ...(n > 1 ? { inReplyTo: 'weir-1@elsewhere.example' } : {}),
  })
  const letter = { from: 'grace@elsewhere.example', to: reader.address, raw }
  expect(await sendMail(product.smtpPort, letter)).toMatch(/^250 /)
}

const signIn = async (page: Page): Promise<void> => {
  await getSession(page, reader)
  await opened(page, `${product.url}/dashboard/view-mail?mailbox=${reader.mailboxId}`)
}
