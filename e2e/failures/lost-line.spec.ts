/** The line is lost before a page or a dialog was ever opened: its scripts are fetched when it is back. */
import type { Page, Route } from '@playwright/test'
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

/** As if another version answered from now on. */
const upgraded = (page: Page) =>
  page.route('/', async (route) => {
    const answer = await route.fetch()
    const body = (await answer.text()).replace(/data-app="[^"]+"/, 'data-app="/assets/newer.js"')
    await route.fulfill({ response: answer, body })
  })
const isGone = (route: Route) => route.fulfill({ status: 404, body: '' })

test('a page whose scripts an upgrade has replaced is loaded anew', async ({
  person: { page },
}) => {
  await opened(page, '/dashboard/mailboxes')
  await page.route(/mailbox-dialog[^/]*\.js/, isGone)
  await upgraded(page)
  const reloaded = page.waitForEvent('load')
  await page.getByRole('button', { name: 'Create mailboxes' }).first().click()
  await reloaded
  await expect(page.getByRole('heading', { name: 'Mailboxes', level: 1 })).toBeVisible()
})

test('a page whose app is gone before it started, as behind a balancer in an upgrade, is loaded anew', async ({
  person: { page },
}) => {
  await upgraded(page)
  await page.route(/\/assets\/index-[^/]*\.js/, isGone, { times: 1 })
  await page.goto('/dashboard/mailboxes')
  await page.getByRole('button', { name: 'Create mailboxes' }).first().click()
  await expect(page.getByRole('dialog')).toBeVisible()
})
