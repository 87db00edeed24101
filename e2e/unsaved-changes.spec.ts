/** What was typed is kept when a dialog stands above a form: one question, and nothing on the console. */
import { expect, opened, test } from './specification/setting.ts'

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
