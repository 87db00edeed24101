/** An agency: all of its workspaces on one page, found, sorted and opened with one click. */
import { aDomain, aMailbox, aWorkspace } from '#test-world/builders.ts'
import { aPerson, expect, expectToast, opened, test } from './specification/setting.ts'

test('all workspaces are listed with their sums, searched, and opened from there', async ({
  setting,
  person: { page, user, workspace },
}) => {
  for (const [name, count] of [
    ['Bakery Weber', 3],
    ['Hotel Adler', 1],
  ] as const) {
    const client = await aWorkspace(setting, { name, members: [{ user, role: 'Admin' }] })
    for (let n = 0; n < count; n++)
      await aMailbox(setting, {
        domain: await aDomain(setting, { workspaceId: client.id, active: n > 0 }),
      })
  }
  await opened(page, '/dashboard')
  await page.getByRole('button', { name: `Workspace: ${workspace.name}` }).click()
  await page.getByRole('menuitem', { name: 'All workspaces' }).click()
  await expect(page.getByRole('heading', { name: '3 workspaces' })).toBeVisible()
  const main = page.getByRole('main')
  await expect(main).toContainText('4 domains (4 need work), 4 mailboxes, $0 this month')
  const rows = page.getByRole('table', { name: 'Workspaces' }).getByRole('row')
  await expect(rows.nth(1)).toContainText('open now')
  await page.getByRole('button', { name: 'Domains', exact: true }).last().click()
  await page.getByRole('button', { name: 'Domains', exact: true }).last().click()
  await expect(rows.nth(1)).toContainText(/Bakery Weber.*3 need work/)
  await expect(page).toHaveURL(/sort=-domains/)
  await page.getByLabel('Search workspaces').fill('adler')
  await expect(page.getByRole('heading', { name: '1 workspace', exact: true })).toBeVisible()
  await expect(main).toContainText('1 domain (1 needs work), 1 mailbox')
  await page.getByRole('button', { name: 'Hotel Adler' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByRole('button', { name: 'Workspace: Hotel Adler' })).toBeVisible()

  // The palette finds other workspaces by their names, and settings by what one does there.
  const palette = page.getByRole('dialog', { name: 'Command palette' })
  await page.keyboard.press('Control+k')
  await palette.getByRole('combobox').fill('invite')
  await expect(palette.getByRole('option', { name: /^Users and invitations/ })).toBeVisible()
  await palette.getByRole('combobox').fill('bakery')
  await expect(palette.getByRole('option', { name: /^Bakery Weber/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Workspace: Bakery Weber' })).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('a member who is no Admin leaves a workspace by themselves; its last Admin hands it over first', async ({
  setting,
  person,
  browser,
}) => {
  const leave = (of: typeof person) => of.page.getByRole('region', { name: 'Leave this workspace' })
  await opened(person.page, '/dashboard/settings')
  await expect(leave(person)).toContainText('You are the last Admin of it')
  await leave(person).getByRole('link', { name: 'Members' }).press('Enter')
  await expect(person.page).toHaveURL(/tab=users/)

  const context = await browser.newContext({ baseURL: setting.product.url })
  const editor = await aPerson(setting, context, await context.newPage(), {
    ...{ role: 'Editor', workspace: person.workspace },
  })
  const own = { name: 'Own Engines', members: [{ user: editor.user, role: 'Admin' as const }] }
  await aWorkspace(setting, own)
  await opened(editor.page, '/dashboard/settings')
  await leave(editor).getByRole('button', { name: 'Leave workspace' }).press('Enter')
  const question = editor.page.getByRole('alertdialog', { name: 'Leave this workspace?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await leave(editor).getByRole('button', { name: 'Leave workspace' }).click()
  await question.getByRole('button', { name: 'Leave', exact: true }).click()
  await expectToast(editor.page, 'You left the workspace')
  await expect(editor.page.getByRole('button', { name: 'Workspace: Own Engines' })).toBeVisible()
  await expect(editor.page).toHaveURL(/\/workspaces$/)
  expect((await person.call('GET', '/members')).body).toHaveLength(1)
  const [line] = (await person.call('GET', '/audit-log')).body.items
  expect(line).toMatchObject({ email: editor.email, what: 'Leave a workspace' })

  // Whoever is in no other workspace makes one.
  const user = await aPerson(setting, context, await context.newPage(), {
    ...{ role: 'User', workspace: person.workspace },
  })
  await opened(user.page, '/dashboard/settings')
  await leave(user).getByRole('button', { name: 'Leave workspace' }).click()
  await user.page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click()
  await expectToast(user.page, 'You left the workspace')
  await expect(user.page.getByText('You are in no workspace')).toBeVisible()
  await user.page.getByRole('link', { name: 'Dashboard', exact: true }).first().click()
  await expect(user.page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  await expect(user.page.getByText('You are in no workspace')).toBeVisible()
  await context.close()
})
