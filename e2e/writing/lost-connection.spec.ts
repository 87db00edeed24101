/** I write a long mail on a bad connection: no word is lost, it is sent once, and I can take it back. */
import type { Page } from '@playwright/test'
import { aDomain, aMailbox, letRead } from '#test-world/builders.ts'
import { ELSEWHERE } from '#test-world/product.ts'
import {
  expect,
  expectToast,
  opened,
  type Person,
  type Setting,
  test,
} from '../specification/setting.ts'

const plan = { name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('a plan') }

const aWriter = async (setting: Setting, { user, workspace }: Person) => {
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  const mailbox = await aMailbox(setting, { domain })
  await letRead(setting, mailbox, user.id)
  return mailbox
}

const form = (page: Page, name = 'New message') => page.getByRole('dialog', { name, exact: true })
const text = (page: Page) => page.getByRole('textbox', { name: 'Message' })

test('a lost connection while writing loses no word; sending it twice sends it once; undo brings it back', async ({
  setting,
  person,
}) => {
  const { context, call } = person
  const mailbox = await aWriter(setting, person)
  const to = `grace-${mailbox.id.slice(-8)}@${ELSEWHERE}`
  const path = `/dashboard/view-mail?mailbox=${mailbox.id}`
  const draftsNow = async () => {
    const { body } = await call('GET', `/mailboxes/${mailbox.id}/messages?folder=drafts`)
    return (body as { items: { subject: string; preview: string }[] }).items
  }

  const first = await context.newPage()
  await opened(first, path)
  await first.getByRole('button', { name: 'Compose' }).click()
  await form(first).getByLabel('To', { exact: true }).fill(to)
  await form(first).getByLabel('Subject').fill('The mill')
  await form(first).getByLabel('Files to attach').setInputFiles(plan)
  await text(first).click()
  await first.keyboard.type('It weaves.')
  await expect(form(first).getByText('Saved', { exact: true })).toBeVisible()
  expect(await draftsNow()).toMatchObject([{ subject: 'The mill' }])

  // A request is lost without a word: after 15 s it is made again.
  await first.evaluate(hurry)
  let asked = 0
  const drafts = '**/api/v1/mailboxes/*/drafts'
  await first.route(drafts, (route) => {
    asked += 1
    return asked === 1 ? undefined : route.fallback()
  })
  await first.keyboard.type(' It')
  await expect.poll(() => asked).toBe(2)
  expect(await first.evaluate(limits)).toContain(15_000)
  await expect(form(first).getByText('Saved', { exact: true })).toBeVisible()
  await first.unroute(drafts)

  // The line drops: what I write stays in this browser, and the window says so.
  await context.setOffline(true)
  await first.keyboard.type(' counts, too.')
  await expect(form(first).getByText('kept in this browser')).toBeVisible()
  await form(first).getByRole('button', { name: 'Close' }).click()
  const question = first.getByRole('alertdialog', { name: 'This message is not saved yet' })
  await expect(question.getByRole('button')).toHaveText(['Keep writing', 'Close', 'Discard'])
  await question.getByRole('button', { name: 'Keep writing' }).click()
  await expect(question).toHaveCount(0)
  await text(first).click()
  await text(first).press('Control+End')
  await expect(text(first)).toBeFocused()
  await context.setOffline(false)
  await expect(form(first).getByText('Saved', { exact: true })).toBeVisible()

  // The tab dies in the middle of a word, off line.
  await context.setOffline(true)
  await first.keyboard.type(' And it rings.')
  await expect(form(first).getByText('kept in this browser')).toBeVisible()
  await first.waitForFunction(isKeptHere, 'And it rings.')
  await first.close()
  await context.setOffline(false)
  const { page } = person
  await opened(page, path)
  await expect(text(page)).toContainText('It weaves. It counts, too. And it rings.')
  await expect(form(page).getByRole('button', { name: `Remove ${to}` })).toBeVisible()
  await expect(form(page).getByText('plan.txt')).toBeVisible()
  await expect(form(page).getByText('Saved', { exact: true })).toBeVisible()
  expect(await draftsNow()).toHaveLength(1)

  // It never arrives, and then the answer is lost on its way: asked again, it sends nothing more.
  await page.evaluate(hurry)
  let tries = 0
  await page.route('**/api/v1/mailboxes/*/sends', async (route) => {
    tries += 1
    if (tries > 2) return route.fallback()
    if (tries === 1) return
    await route.fetch()
    await route.abort('connectionreset')
  })
  await form(page).getByRole('button', { name: 'Send', exact: true }).click()
  await expect(form(page).getByText('and only once')).toBeVisible()
  await expectToast(page, 'Message sent')
  expect(tries).toBe(3)
  expect(await page.evaluate(limits)).toContain(45_000)
  await expect(form(page)).toHaveCount(0)
  expect(await draftsNow()).toEqual([])

  // Taken back it has all it had; sent again it arrives, once.
  await page.getByRole('button', { name: 'Undo' }).click()
  const back = form(page, 'Draft')
  await expect(text(page)).toContainText('It weaves. It counts, too. And it rings.')
  await expect(back.getByText('plan.txt')).toBeVisible()
  await expect(back.getByLabel('Subject')).toHaveValue('The mill')
  await text(page).press('Control+End')
  await page.keyboard.type(' Come and see.')
  await back.getByRole('button', { name: 'Send', exact: true }).click()
  await expectToast(page, 'Message sent')

  // The next user of this computer finds nothing of it.
  await page.getByRole('button', { name: 'Compose' }).click()
  await form(page).getByLabel('Subject').fill('A secret')
  await page.waitForFunction(isKeptHere, 'A secret')
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(page).toHaveURL(/login/)
  await page.waitForFunction(isNothingKept)

  // It left when there was nothing more to take back.
  const { email } = await setting.product.mailTo(to)
  expect(email.text).toContain('It weaves. It counts, too. And it rings. Come and see.')
  expect(email.html).toContain('<div>It weaves.')
  expect(email.attachments.map(({ filename }) => filename)).toEqual(['plan.txt'])
  expect(setting.product.peer.messages.filter((message) => message.to.includes(to))).toHaveLength(1)
})

/** In the page: what is waited for passes ten times as fast. */
const hurry = () => {
  const timeout = AbortSignal.timeout.bind(AbortSignal)
  const asked: number[] = []
  Object.assign(window, { limits: asked })
  AbortSignal.timeout = (ms) => {
    asked.push(ms)
    return timeout(ms / 10)
  }
}

/** In the page: the waits, in ms, since then. */
const limits = (): number[] => Reflect.get(window, 'limits')

/** In the page. */
const isKeptHere = (words: string) =>
  new Promise<boolean>((resolve) => {
    const opening = indexedDB.open('mailstead', 1)
    opening.onerror = () => resolve(false)
    opening.onsuccess = () => {
      const reading = opening.result.transaction('kept').objectStore('kept').getAll()
      reading.onsuccess = () => {
        opening.result.close()
        resolve(JSON.stringify(reading.result).includes(words))
      }
    }
  })

/** In the page. */
const isNothingKept = () =>
  new Promise<boolean>((resolve) => {
    const opening = indexedDB.open('mailstead', 1)
    opening.onerror = () => resolve(false)
    opening.onsuccess = () => {
      const counting = opening.result.transaction('kept').objectStore('kept').count()
      counting.onsuccess = () => {
        opening.result.close()
        resolve(counting.result === 0)
      }
    }
  })
