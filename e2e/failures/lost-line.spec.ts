/** The line is lost before a page or a dialog was ever opened: its scripts are fetched when it is back. */
import { expect, expectToast, opened, test } from '../specification/setting.ts'

test.use({ freshContext: true })

const SAID = 'No connection. This opens as soon as the connection is back.'

test('without a line a dialog and a page that are opened for the first time wait for it, and the page stays', async ({
  person: { page, context },
}) => {
  await opened(page, '/dashboard/mailboxes')
  // The first touch of a page fetches what tells of failures.
  const fetched = page.waitForResponse(/toaster/)
  await page.getByRole('heading', { name: 'Mailboxes', level: 1 }).click()
  await (await fetched).finished()
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Create mailboxes' }).first().click()
  await expectToast(page, '❌ Error', SAID)
  await expect(page.getByRole('heading', { name: 'Mailboxes', level: 1 })).toBeVisible()
  await context.setOffline(false)
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  await expect(page.getByText(SAID)).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)

  await context.setOffline(true)
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await expectToast(page, '❌ Error', SAID)
  await context.setOffline(false)
  await expect(page).toHaveURL('/dashboard/settings')
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
})

test('a page whose scripts an upgrade has replaced is loaded anew', async ({
  person: { page },
}) => {
  await opened(page, '/dashboard/mailboxes')
  await page.route(/mailbox-dialog[^/]*\.js/, (route) => route.fulfill({ status: 404, body: '' }))
  await page.route('/', async (route) => {
    const answer = await route.fetch()
    const body = (await answer.text()).replace(/data-app="[^"]+"/, 'data-app="/assets/newer.js"')
    await route.fulfill({ response: answer, body })
  })
  const reloaded = page.waitForEvent('load')
  await page.getByRole('button', { name: 'Create mailboxes' }).first().click()
  await reloaded
  await expect(page.getByRole('heading', { name: 'Mailboxes', level: 1 })).toBeVisible()
})
