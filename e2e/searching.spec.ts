/** I search my mail by keyboard, go through what is found, and file it. */
import type { Page } from '@playwright/test'
import { aDomain, aMailbox, letRead } from '#test-world/builders.ts'
import { ELSEWHERE } from '#test-world/product.ts'
import { sendMail } from '#test-world/smtp/smtp-client.ts'
import {
  expect,
  expectToast,
  opened,
  type Person,
  type Setting,
  test,
} from './specification/setting.ts'

const withMail = async (setting: Setting, { user, workspace }: Person) => {
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  const mailbox = await aMailbox(setting, { domain })
  await letRead(setting, mailbox, user.id)
  const receive = async (subject: string, sender: string, text: string) => {
    const from = `${sender}@${ELSEWHERE}`
    const raw = `From: ${sender} <${from}>\r\nTo: ${mailbox.email}\r\nSubject: ${subject}\r\n\r\n${text}\r\n`
    const sent = { from, to: mailbox.email, raw }
    expect(await sendMail(setting.product.smtpPort, sent)).toMatch(/^250 /)
  }
  await receive('The mill', 'ada', 'It weaves.')
  await receive('The engine', 'ada', 'It counts.')
  await receive('The plan', 'eve', `${'It is long. '.repeat(5)}\r\n`.repeat(200))
  return mailbox
}

const row = (page: Page, subject: string) => page.getByRole('link', { name: new RegExp(subject) })

test('OR joins a size and a name, and Enter leads to the first result, from where keys go on', async ({
  setting,
  person,
}) => {
  const { page } = person
  const mailbox = await withMail(setting, person)
  await opened(page, `/dashboard/view-mail?mailbox=${mailbox.id}`)
  await expect(row(page, 'The plan')).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type('larger:10k OR from:ada')
  await page.keyboard.press('Enter')
  await expect(row(page, 'The plan')).toBeFocused()
  await page.keyboard.press('j')
  await expect(row(page, 'The engine')).toBeFocused()
  await page.keyboard.press('k')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('article', { name: 'The plan' })).toBeVisible()

  // What is found next was not in the list before.
  await page.keyboard.press('/')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('from:nobody')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Nothing found')).toBeVisible()

  // Words beside from: must hold, too.
  await page.keyboard.press('Control+a')
  await page.keyboard.type('from:ada mill')
  await page.keyboard.press('Enter')
  await expect(row(page, 'The mill')).toBeFocused()
  await expect(row(page, 'The engine')).toHaveCount(0)
})

test('what a search finds is moved to a folder that I make by its name, and back to the Inbox', async ({
  setting,
  person,
}) => {
  const { page } = person
  const mailbox = await withMail(setting, person)
  await opened(page, `/dashboard/view-mail?mailbox=${mailbox.id}&q=mill`)
  await row(page, 'The mill').click()
  await expect(page.getByRole('article', { name: 'The mill' })).toContainText('It weaves.')
  const move = page.getByRole('dialog', { name: 'Move to' })
  await page.keyboard.press('v')
  await expect(move.getByRole('option', { name: 'Inbox' })).toHaveCount(0)
  await page.keyboard.type('Looms')
  await expect(move.getByRole('option')).toHaveText(['Make the folder “Looms”'])
  await page.keyboard.press('Enter')
  await expectToast(page, 'Moved to Looms')
  await expect(page.getByRole('link', { name: /^Looms/ })).toBeVisible()

  // It is not in the Inbox now, whose search found it.
  await expect(row(page, 'The mill')).toContainText('Looms')
  await row(page, 'The mill').click()
  await expect(page.getByRole('article', { name: 'The mill' })).toContainText('It weaves.')
  await page.keyboard.press('v')
  await page.keyboard.type('inb')
  await expect(move.getByRole('option').first()).toHaveText('Inbox')
  await page.keyboard.press('Enter')
  await expectToast(page, 'Moved to Inbox')

  // Also from the row that has the focus, without opening it.
  await opened(page, `/dashboard/view-mail?mailbox=${mailbox.id}`)
  await row(page, 'The plan').focus()
  await page.keyboard.press('v')
  await page.keyboard.type('loo')
  await page.keyboard.press('Enter')
  await expectToast(page, 'Moved to Looms')
  await expect(row(page, 'The plan')).toHaveCount(0)
})

test('my last searches are under the empty box, in this browser and for me alone', async ({
  setting,
  person,
}) => {
  const { page } = person
  const mailbox = await withMail(setting, person)
  const address = `/dashboard/view-mail?mailbox=${mailbox.id}`
  await opened(page, address)
  const box = page.getByRole('searchbox')
  const recent = page.getByRole('region', { name: 'Recent searches' })
  const choice = (q: string) => recent.getByRole('button', { name: q, exact: true })
  await expect(row(page, 'The plan')).toBeVisible()
  for (const q of ['mill', 'from:ada', 'Mill']) {
    await box.fill(q)
    await box.press('Enter')
    await expect(row(page, 'The mill')).toBeVisible()
  }
  // A search that led to a message is kept, too; what is only typed is not.
  await box.fill('engi')
  await expect(page).toHaveURL(/[?&]q=engi/)
  await row(page, 'The engine').click()
  await expect(page.getByRole('article', { name: 'The engine' })).toBeVisible()
  await box.fill('pla')
  await expect(row(page, 'The plan')).toBeVisible()
  await box.fill('')
  await expect(page).not.toHaveURL(/[?&]q=/)
  await opened(page)
  await box.click()
  await expect(recent.getByRole('listitem')).toHaveText(['engi', 'Mill', 'from:ada'])

  await recent.getByRole('button', { name: 'Forget engi' }).click()
  await expect(choice('engi')).toHaveCount(0)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(choice('Mill')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(box).toBeFocused()
  await expect(box).toHaveValue('Mill')
  await expect(row(page, 'The mill')).toBeVisible()
  await expect(row(page, 'The engine')).toHaveCount(0)

  // Who signs in after me on this computer finds none; nor do I.
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.getByLabel('Email').waitFor()
  const kept = () =>
    page.evaluate(async () => {
      const opening = indexedDB.open('mailstead')
      await new Promise((resolve) => {
        opening.onsuccess = resolve
      })
      const all = opening.result.transaction('kept').objectStore('kept').getAll()
      await new Promise((resolve) => {
        all.onsuccess = resolve
      })
      opening.result.close()
      return all.result.length
    })
  await expect.poll(kept).toBe(0)
})

test('the palette finds a folder, and leads to a search of the mail', async ({
  setting,
  person,
}) => {
  const { page } = person
  const mailbox = await withMail(setting, person)
  await opened(page, `/dashboard/view-mail?mailbox=${mailbox.id}`)
  await expect(row(page, 'The plan')).toBeVisible()
  const palette = page.getByRole('dialog', { name: 'Command palette' })
  await page.keyboard.press('Control+k')
  await page.keyboard.type('archi')
  await expect(palette.getByRole('option', { name: 'Archive' })).toBeVisible()
  await palette.getByRole('option', { name: 'Archive' }).click()
  await expect(page.getByText('Nothing in Archive')).toBeVisible()

  await opened(page, '/dashboard')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('mill OR loom')
  await expect(palette.getByRole('option')).toHaveText(['Search mail for “mill OR loom”'])
  await expect(palette.getByText('No results found.')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(row(page, 'The mill')).toBeVisible()
  await expect(page.getByRole('searchbox')).toHaveValue('mill OR loom')
})
