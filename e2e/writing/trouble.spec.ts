/** I write while the server is in trouble, my right is taken away, and my session runs out: each says so, and costs no word. */
import type { Page } from '@playwright/test'
import type { ErrorType } from '#contract/errors.ts'
import { aDomain, aMailbox, letRead } from '#test-world/builders.ts'
import { ELSEWHERE } from '#test-world/product.ts'
import { logIn } from '../browsers.ts'
import { putWornToken, runOut } from '../specification/access-cookie.ts'
import {
  answering as answeringAll,
  expect,
  expectToast,
  opened,
  refusal,
  test,
} from '../specification/setting.ts'

type Told = { type: ErrorType; data?: Record<string, string>; retryAfter?: string }

const answering = (page: Page, call: 'drafts' | 'sends', { type, data, retryAfter }: Told) => {
  const headers = retryAfter ? { 'retry-after': retryAfter } : {}
  return answeringAll(page, 'POST', `/mailboxes/*/${call}`, { ...refusal(type, data), headers })
}

const form = (page: Page) => page.getByRole('dialog', { name: 'New message', exact: true })
const text = (page: Page) => page.getByRole('textbox', { name: 'Message' })
const saved = (page: Page) => form(page).getByText('Saved', { exact: true })
const alert = (page: Page) => form(page).getByRole('alert')

let written = ''
const write = async (page: Page, words: string) => {
  await text(page).press('Control+End')
  await page.keyboard.type(words)
  written += words
  await expect(text(page)).toContainText(written)
}

test('trouble while saving and sending says what happened, loses no word, and ends by itself', async ({
  setting,
  person,
}) => {
  const { page, call, user, context } = person
  const domain = await aDomain(setting, { workspaceId: person.workspace.id, active: true })
  const mailbox = await aMailbox(setting, { domain })
  await letRead(setting, mailbox, user.id)
  const to = `grace-${mailbox.id.slice(-8)}@${ELSEWHERE}`
  await opened(page, `/dashboard/view-mail?mailbox=${mailbox.id}`)
  await page.getByRole('button', { name: 'Compose' }).click()
  await form(page).getByLabel('To', { exact: true }).fill(to)

  // Saving: what passes is tried again, without a click.
  for (const [answer, words] of [
    [{ type: 'INTERNAL' }, 'The server has a problem. What you write is kept in this browser'],
    [{ type: 'TOO_MANY_REQUESTS', retryAfter: '3' }, 'Too many requests: we try again in 3 s'],
  ] as const) {
    const mend = await answering(page, 'drafts', answer)
    await write(page, `One ${answer.type}. `)
    await expect(form(page).getByText(words)).toBeVisible()
    await mend()
    // By itself it comes after a pause that grows; at once when the browser says that it may.
    await expect(async () => {
      await page.evaluate(() => dispatchEvent(new Event('online')))
      await expect(saved(page)).toBeVisible({ timeout: 1_000 })
    }).toPass()
  }

  // What the server does not take says why where it stands, and goes on when that changes.
  for (const [answer, words] of [
    [{ type: 'VALIDATION', data: { subject: 'Not this one' } }, 'Not this one'],
    [{ type: 'PAYLOAD_TOO_LARGE' }, 'This message is too long'],
  ] as const) {
    const mend = await answering(page, 'drafts', answer)
    await write(page, `One ${answer.type}. `)
    await expect(form(page).getByText(words)).toBeVisible()
    await expect(alert(page)).toContainText('please correct the marked fields')
    await mend()
    await write(page, 'And on. ')
    await expect(saved(page)).toBeVisible()
    await expect(form(page).getByText(words)).toHaveCount(0)
    await expect(alert(page)).toHaveCount(0)
  }

  // A writer who loses the right to the mailbox still sees the text; with the right the draft comes back.
  await call('DELETE', `/mailboxes/${mailbox.id}/readers/${user.id}`)
  await expect(page.getByRole('region', { name: 'Messages' })).toHaveCount(0)
  await write(page, 'Not mine. ')
  await expect(alert(page)).toContainText('You can no longer write from this mailbox')
  await call('POST', `/mailboxes/${mailbox.id}/readers`, { userId: user.id })
  await expect(page.getByRole('region', { name: 'Messages' })).toBeVisible()
  await expect(saved(page)).toBeVisible()
  await expect(alert(page)).toHaveCount(0)

  // Sending: a server error shows; a requested wait is respected.
  const send = form(page).getByRole('button', { name: 'Send', exact: true })
  let mend = await answering(page, 'sends', { type: 'INTERNAL', data: { requestId: 'req-77' } })
  await send.click()
  await expect(alert(page)).toContainText('wrong on the server (reference req-77)')
  await mend()
  mend = await answering(page, 'sends', { type: 'FORBIDDEN' })
  await send.click()
  await expect(alert(page)).toContainText('You can no longer write from this mailbox')
  await mend()
  mend = await answering(page, 'sends', { type: 'UNAVAILABLE', retryAfter: '600' })
  await send.click()
  await expect(alert(page)).toContainText('Something went wrong on the server')
  await mend()
  mend = await answering(page, 'sends', { type: 'UNAVAILABLE', retryAfter: '1' })
  await send.click()
  await expect(
    form(page).getByText('The server has a problem. It is sent as soon as possible'),
  ).toBeVisible()
  await form(page).getByRole('button', { name: 'Stop sending' }).click()
  await expect(send).toBeEnabled()
  await mend()
  await expect(text(page)).toContainText(written)

  // The session runs out in the middle of a word: after the login it stands there, and goes.
  mend = await answering(page, 'drafts', { type: 'UNAVAILABLE' })
  await write(page, 'And it rings.')
  await expect(form(page).getByText('The server has a problem. What you write')).toBeVisible()
  await runOut(setting, user)
  await putWornToken(context, setting.product.url)
  await mend()
  await expect(page).toHaveURL('/login')
  await logIn(page, person.email)
  await expect(text(page)).toContainText(written)
  mend = await answering(page, 'sends', { type: 'TOO_MANY_REQUESTS', retryAfter: '2' })
  await form(page).getByRole('button', { name: 'Send', exact: true }).click()
  await expect(
    form(page).getByText('again in 2 seconds. It is sent as soon as possible'),
  ).toBeVisible()
  await mend()
  await expectToast(page, 'Message sent')
  const { email } = await setting.product.mailTo(to)
  expect(email.text).toContain(written.trim())
  expect(setting.product.peer.messages.filter((message) => message.to.includes(to))).toHaveLength(1)
})
