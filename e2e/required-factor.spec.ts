/** A workspace requires a second factor of its people; an Admin resets that of a holder who lost it. */
import type { Browser, Page } from '@playwright/test'
import { aHolder, HOLDERS_PASSWORD } from '#test-world/people/holders.ts'
import { aMailboxAt, anActiveDomain } from '#test-world/trials/account.ts'
import { getSession } from './browsers.ts'
import { accountOf } from './screens/account-of.ts'
import { enterPassword, haveApp, setUpApp } from './second-step.ts'
import {
  aPerson,
  expect,
  expectToast,
  opened,
  type Person,
  type Setting,
  test,
} from './specification/setting.ts'

const SECURITY = '/dashboard/security'

const aColleague = async (setting: Setting, browser: Browser, { workspace }: Person) => {
  const context = await browser.newContext({ baseURL: setting.product.url })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const page = await context.newPage()
  return aPerson(setting, context, page, { workspace, role: 'Editor', firstName: 'Mary' })
}

/** As if it had been required so many days ago. */
const daysLater = async ({ db }: Setting, { workspace }: Person, days: number) => {
  const requiredAt = new Date(Date.now() - days * 86_400_000)
  await db
    .updateTable('requiredFactors')
    .set({ requiredAt })
    .where('workspaceId', '=', workspace.id)
    .execute()
  await db
    .updateTable('members')
    .set({ createdAt: requiredAt })
    .where('workspaceId', '=', workspace.id)
    .execute()
}

/** The first one whose subject has these words. */
const mailAbout = async ({ product }: Setting, email: string, words: string): Promise<void> => {
  for (let count = 1; ; count += 1) {
    const mail = await product.mailTo(email, count)
    if (mail.email.subject?.includes(words)) return
  }
}

const card = (page: Page) => page.getByRole('region', { name: 'Second factor' })

test('my workspace requires one: I am told, locked out but for setting it up, and in again', async ({
  setting,
  person,
  browser,
}) => {
  const { page, context } = person
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const mary = await aColleague(setting, browser, person)
  await opened(page, '/dashboard/settings')
  const requireAfter = async (days: string) => {
    await card(page).getByRole('button', { name: 'Require a second factor' }).click()
    const dialog = page.getByRole('dialog', { name: 'Require a second factor' })
    await expect(dialog.getByLabel('Days of grace')).toHaveValue('7')
    await dialog.getByLabel('Days of grace').fill(days)
    await dialog.getByRole('button', { name: 'Require it' }).click()
    return dialog
  }
  const refused = await requireAfter('7')
  await expectToast(page, 'Set up a second factor of your own first')
  await refused.getByRole('button', { name: 'Cancel' }).click()

  await opened(page, SECURITY)
  await setUpApp(page)
  await opened(page, '/dashboard/settings')
  const wrong = await requireAfter('31')
  await expect(wrong.getByText('Please enter a number from 0 to 30')).toBeVisible()
  await wrong.getByLabel('Days of grace').fill('7')
  await wrong.getByRole('button', { name: 'Require it' }).click()
  await expectToast(page, 'A second factor is required')
  await expect(card(page)).toContainText('after 7 days of grace')
  await card(page).getByRole('button', { name: 'Without one: 1' }).click()
  const people = page.getByRole('dialog', { name: 'Without a second factor' })
  await expect(people.getByRole('listitem')).toContainText(mary.email)
  await mailAbout(setting, mary.email, 'Set up a second factor')

  await opened(mary.page, '/dashboard/domains')
  const banner = mary.page.getByRole('complementary', { name: 'A second factor is required' })
  await expect(banner.getByRole('link', { name: 'Set one up' })).toHaveAttribute('href', SECURITY)
  await daysLater(setting, person, 8)
  await mary.page.goto('/dashboard/domains')
  await expect(mary.page.getByRole('heading', { name: 'Set up a second factor' })).toBeVisible()
  await expect(mary.page.getByRole('navigation', { name: 'Main' })).toHaveCount(0)
  await setUpApp(mary.page)
  await mary.page.getByRole('button', { name: 'Continue' }).click()
  await expect(mary.page).toHaveURL(/\/dashboard\/domains$/)
  await expect(mary.page.getByRole('heading', { name: 'Domains', exact: true })).toBeVisible()
  await expect(banner).toHaveCount(0)
  await mary.context.close()
})

test('a colleague has lost the phone: an Admin resets the factor, and another one has to be set up', async ({
  setting,
  person,
  browser,
}) => {
  const { page, call } = person
  const mary = await aColleague(setting, browser, person)
  await haveApp(call)
  await haveApp(mary.call)
  expect(await call('PUT', '/workspace-settings/second-factor', { graceDays: 0 })).toMatchObject({
    status: 200,
  })
  await opened(page, '/dashboard/settings?tab=users')
  await page
    .getByRole('button', {
      name: `Actions for ${mary.user.firstName} ${mary.user.lastName}`.trim(),
    })
    .click()
  await page.getByRole('menuitem', { name: 'Reset second factor' }).click()
  const reset = page.getByRole('alertdialog').getByRole('button', { name: 'Reset second factor' })
  await reset.click()
  await expectToast(page, 'The second factor was reset')
  await mailAbout(setting, mary.email, 'second factor of your Mailstead account was reset')
  await mary.page.goto('/login')
  await enterPassword(mary.page, mary.email)
  await expect(mary.page.getByRole('heading', { name: 'Set up a second factor' })).toBeVisible()
  await mary.page.getByRole('button', { name: 'Log out' }).click()
  await expect(mary.page).toHaveURL(/\/login$/)
  await mary.context.close()
})

test('a holder has lost the phone: an Admin resets the factor', async ({
  setting,
  person,
  browser,
}) => {
  const { page, workspace, call } = person
  const account = accountOf(person)
  const name = `${crypto.randomUUID().slice(0, 8)}.example`
  const domain = await anActiveDomain(setting.product, account, name)
  const mailbox = await aMailboxAt(account, domain, 'grace')
  await aHolder(setting, { ...mailbox, id: mailbox._id, workspaceId: workspace.id })
  const context = await browser.newContext({ baseURL: setting.product.url })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const holder = await context.newPage()
  await getSession(holder, { email: mailbox.email, password: HOLDERS_PASSWORD })
  await opened(holder, SECURITY)
  await setUpApp(holder)

  await opened(page, `/dashboard/mailbox-access?mailbox=${mailbox._id}`)
  await page.getByRole('button', { name: 'Reset second factor' }).click()
  const question = page.getByRole('alertdialog', { name: /^Reset the second factor of/ })
  await expect(question).toContainText('make sure who asks')
  await question.getByRole('button', { name: 'Reset second factor' }).click()
  await expectToast(page, 'The second factor was reset', mailbox.email)
  await expect(holder).toHaveURL(/\/login/)
  await enterPassword(holder, mailbox.email, HOLDERS_PASSWORD)
  await expect(holder).toHaveURL(SECURITY)
  await expect(holder.getByRole('button', { name: 'Set up the app' })).toBeVisible()
  const { body } = await call('GET', '/audit-log?topic=access')
  expect(body.items[0]).toMatchObject({ action: 'resetHolderFactor', object: mailbox.email })
  await context.close()
})
