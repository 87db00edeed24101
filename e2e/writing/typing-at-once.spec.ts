/** I press a key to write, and go on typing before the letter is there. */
import type { Page } from '@playwright/test'
import { aDomain, aMailbox, letRead } from '#test-world/builders.ts'
import { ELSEWHERE } from '#test-world/product.ts'
import { sendMail } from '#test-world/smtp/smtp-client.ts'
import { expect, opened, type Person, type Setting, test } from '../specification/setting.ts'

const aReader = async (setting: Setting, { user, workspace }: Person) => {
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  const mailbox = await aMailbox(setting, { domain })
  await letRead(setting, mailbox, user.id)
  const from = `grace@${ELSEWHERE}`
  const raw = `From: Grace <${from}>\r\nTo: ${mailbox.email}\r\nSubject: The mill\r\n\r\nShall we build it?\r\n`
  expect(await sendMail(setting.product.smtpPort, { from, to: mailbox.email, raw })).toMatch(
    /^250 /,
  )
  return mailbox
}

/** Holds the scripts of a letter back, or those of its editor alone. */
const holdingScripts = async (page: Page, name: RegExp): Promise<() => void> => {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(name, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

const LETTER = /\/(?:letter-windows|compose-start|rich-text-editor)[^/]*\.js/
const EDITOR = /\/rich-text-editor[^/]*\.js/

for (const [part, scripts] of [
  ['a letter', LETTER],
  ['its editor', EDITOR],
] as const)
  test(`what I type before ${part} is there stands in the answer, and is no shortcut`, async ({
    setting,
    person,
  }) => {
    const { page } = person
    const mailbox = await aReader(setting, person)
    const release = await holdingScripts(page, scripts)
    await opened(page, `/dashboard/view-mail?mailbox=${mailbox.id}`)
    const row = page.getByRole('link', { name: /The mill/ })
    await row.click()
    const article = page.getByRole('article', { name: 'The mill' })
    await expect(article).toContainText('Shall we build it?')
    await page.keyboard.press('r')
    // As shortcuts these would archive, delete, star and mark it.
    await page.keyboard.type('yes, e#s!x')
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Gladly')
    release()
    const text = page.getByRole('textbox', { name: 'Message', exact: true })
    await expect(text).toBeFocused()
    await page.keyboard.type('.')
    await expect(text.locator('p')).toHaveText(['yes, e#s!', 'Gladly.'])
    await expect(article).toBeVisible()
    await expect(row).toBeVisible()
  })

test('what I type before a new letter is there stands in the box To, an address each', async ({
  setting,
  person,
}) => {
  const { page } = person
  const mailbox = await aReader(setting, person)
  const release = await holdingScripts(page, LETTER)
  await opened(page, `/dashboard/view-mail?mailbox=${mailbox.id}`)
  const row = page.getByRole('link', { name: /The mill/ })
  await expect(row).toBeVisible()
  await page.keyboard.press('c')
  await page.keyboard.type('ada@x.example,eve')
  release()
  const to = page.getByRole('combobox', { name: 'To' })
  await expect(to).toBeFocused()
  await expect(page.getByRole('button', { name: 'Remove ada@x.example' })).toBeVisible()
  await expect(to).toHaveValue('eve')
  await expect(row).toBeVisible()
})
