/** What was typed is kept when a dialog stands above a form: one question, and nothing on the console. */
import { aDomain, aMailbox, letRead } from '#test-world/builders.ts'
import { expect, expectToast, opened, test } from './specification/setting.ts'

test('I type into a dialog above a form and go back: I am asked once', async ({ person }) => {
  const { page } = person
  const said: string[] = []
  page.on('console', (message) => said.push(message.text()))
  await opened(page, '/dashboard')
  await page.getByRole('link', { name: 'Settings', exact: true }).first().click()
  await expect(page.getByLabel('Website')).toBeVisible()
  await page.getByRole('button', { name: /^Workspace:/ }).click()
  await page.getByRole('menuitem', { name: 'Create workspace' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('Difference Engines')
  await page.goBack()
  const question = page.getByRole('alertdialog', { name: 'Discard what you entered?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog.getByRole('textbox')).toHaveValue('Difference Engines')
  await page.goBack()
  await question.getByRole('button', { name: 'Discard' }).click()
  await expect(page).toHaveURL('/dashboard')
  expect(said).toEqual([])
})

test('I type into two forms of one page and leave: I am asked once, and each still stands', async ({
  setting,
  person,
}) => {
  const { page, user, workspace } = person
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  const mailbox = await aMailbox(setting, { domain, localPart: 'ada' })
  await letRead(setting, mailbox, user.id)
  await opened(page, `/dashboard/mail-box-settings?mailbox=${mailbox.id}`)
  const name = page.getByLabel('Display name')
  const answer = page.getByRole('textbox', { name: 'Message', exact: true })
  await answer.fill('I am at sea until Monday.')
  const question = page.getByRole('alertdialog', { name: 'Discard what you entered?' })
  const leave = () => page.getByRole('link', { name: 'Domains', exact: true }).first().click()
  await leave()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await name.fill('Ada, Countess of Lovelace')
  await leave()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(answer).toHaveValue('I am at sea until Monday.')

  // What is saved asks no more; the other one does.
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expectToast(page, 'Mailbox saved')
  await leave()
  await question.getByRole('button', { name: 'Discard' }).click()
  await expect(page).toHaveURL('/dashboard/domains')
})

test('a search reaches the URL while I type into a dialog above its list: nothing is asked', async ({
  person,
}) => {
  const { page } = person
  await page.clock.install()
  await opened(page, '/dashboard/workspaces')
  const search = page.getByLabel('Search workspaces')
  await expect(search).toBeVisible()
  const begin = async () => {
    await page.getByRole('button', { name: /^Workspace:/ }).click()
    await page.getByRole('menuitem', { name: 'Create workspace' }).click()
  }
  const name = page.getByRole('dialog').getByRole('textbox')
  // The form is loaded when it opens first, and React shows late what was loaded, by the clock.
  await begin()
  await expect(name).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(name).toHaveCount(0)
  // The search is written only when it has rested for a moment: it has not, until the form is begun.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 10_000)
  await search.fill('ada')
  await begin()
  await name.fill('Difference Engines')
  await expect(page).toHaveURL('/dashboard/workspaces')
  await page.clock.runFor(1_000)
  await page.clock.resume()
  await expect(page).toHaveURL('/dashboard/workspaces?q=ada')
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await expect(name).toHaveValue('Difference Engines')
})
