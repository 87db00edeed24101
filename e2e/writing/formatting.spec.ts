/** I give a letter sizes, colours, headings and emoji, or none of it: what I see is what is kept and sent. */
import type { Page } from '@playwright/test'
import { aDomain, aMailbox, letRead } from '#test-world/builders.ts'
import { expect, opened, type Person, type Setting, test } from '../specification/setting.ts'

const form = (page: Page, name = 'New message') => page.getByRole('dialog', { name, exact: true })
const text = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true })
const tool = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

const choose = async (page: Page, menu: string, item: string) => {
  await tool(page, menu).click()
  await page.getByRole('menuitemcheckbox', { name: item, exact: true }).click()
  await expect(text(page)).toBeFocused()
}

const aWriter = async (setting: Setting, { user, workspace }: Person) => {
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  const mailbox = await aMailbox(setting, { domain })
  await letRead(setting, mailbox, user.id)
  return mailbox
}

const send = async (page: Page, to: string, name?: string) => {
  await form(page, name).getByLabel('Subject').fill('Looks')
  await form(page, name).getByLabel('To', { exact: true }).fill(to)
  await form(page, name).getByRole('button', { name: 'Send', exact: true }).click()
  await expect(form(page, name)).toHaveCount(0)
}

test('sizes, colours, alignment and emoji are kept in the draft, and sent; so is plain text alone', async ({
  setting,
  person,
}) => {
  const { page, call } = person
  const mailbox = await aWriter(setting, person)
  const messages = `/mailboxes/${mailbox.id}/messages`
  const newestIn = async (folder: string) => {
    const { body } = await call('GET', `${messages}?folder=${folder}`)
    const id = (body as { items: { _id: string }[] }).items[0]?._id
    return (await call('GET', `${messages}/${id}`)).body as { html: string | null; text: string }
  }
  await opened(page, `/dashboard/view-mail?mailbox=${mailbox.id}`)
  await page.getByRole('button', { name: 'Compose' }).click()
  await text(page).click()
  await choose(page, 'Text size', 'Large')
  await choose(page, 'Text colour', 'Red')
  await choose(page, 'Alignment', 'Align right')
  await page.keyboard.type('Hello :smile: :nosuch: ')
  await tool(page, 'Emoji').click()
  await page.keyboard.type('heart')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  await expect(text(page)).toBeFocused()
  await expect(text(page)).toHaveText('Hello 😄 :nosuch: ❤️')

  // The draft comes back as it looks.
  await expect(form(page).getByText('Saved', { exact: true })).toBeVisible()
  await form(page).getByRole('button', { name: 'Close' }).click()
  await expect(form(page)).toHaveCount(0)
  await page.getByRole('link', { name: /^Drafts/ }).click()
  await page.getByRole('link', { name: /Hello/ }).click()
  const span = text(page).locator('p span')
  await expect(span).toHaveCSS('color', 'rgb(224, 45, 39)')
  await expect(span).toHaveCSS('font-size', '18.2px')
  await expect(text(page).locator('p').first()).toHaveCSS('text-align', 'right')
  await send(page, mailbox.email, 'Draft')
  const sent = await newestIn('sent')
  expect(sent.html).toMatch(
    /<div style="text-align: right;?"><span style="(?=[^"]*color: (?:#e02d27|rgb\(224, 45, 39\)))(?=[^"]*font-size: 130%)[^"]*">Hello 😄/,
  )
  expect(sent.text.trim()).toBe('Hello 😄 :nosuch: ❤️')

  // Without formatting what was written stays, and with it again, too.
  await page.getByRole('button', { name: 'Compose' }).click()
  await text(page).click()
  await tool(page, 'Bold').click()
  await page.keyboard.type('Dear Eve,')
  await tool(page, 'Plain text').click()
  await expect(text(page)).toHaveValue('Dear Eve,')
  await tool(page, 'Formatting').click()
  await expect(text(page).locator('strong')).toHaveText('Dear Eve,')
  await tool(page, 'Plain text').click()
  await expect(text(page)).toBeFocused()
  await text(page).fill('Dear  Eve,\n\n  - <one>')
  await form(page).getByRole('button', { name: 'Close', exact: true }).click()
  await expect(form(page)).toHaveCount(0)
  await opened(page, `/dashboard/view-mail?mailbox=${mailbox.id}&folder=drafts`)
  await page.getByRole('link', { name: /Dear/ }).click()
  await expect(text(page)).toHaveValue('Dear  Eve,\n\n  - <one>')
  await send(page, mailbox.email, 'Draft')
  const plain = await newestIn('sent')
  expect([plain.html, plain.text.trimEnd()]).toEqual([null, 'Dear  Eve,\n\n  - <one>'])

  // Who prefers it begins so.
  await opened(page, `/dashboard/mail-box-settings?mailbox=${mailbox.id}`)
  await page.getByLabel(/Begin letters as plain text/).check()
  await page.getByLabel('Take back a sent letter within').click()
  await page.getByRole('option', { name: '20 seconds' }).click()
  await page.getByRole('button', { name: 'Save writing' }).click()
  await expect(page.getByText('Writing saved').first()).toBeVisible()
  expect((await call('GET', '/preferences')).body).toMatchObject({
    ...{ undoSeconds: 20, writesPlainText: true },
  })
  await opened(page, `/dashboard/view-mail?mailbox=${mailbox.id}`)
  await page.getByRole('button', { name: 'Compose' }).click()
  await text(page).fill('Short.')
  await send(page, mailbox.email)
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
})
