/** By keyboard alone: I make a mailbox, change it, pay for it and delete it. */
import { aDomain, aMailbox } from '#test-world/builders.ts'
import { expect, expectToast, opened, test } from '../specification/setting.ts'
import { expectAt, expectHeading, press, tabTo, typeInto } from './keys.ts'

test('I create a mailbox with a slip, edit it, pay for it and delete it', async ({
  setting,
  person: { page, workspace },
}) => {
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  await aMailbox(setting, { domain, localPart: 'zoe' })
  const address = `mary.somerville@${domain.name}`
  await opened(page, '/dashboard')
  await press(page, 'link', 'Mailboxes')
  await expectHeading(page, 'Mailboxes')
  await expect(page.getByRole('link', { name: `zoe@${domain.name}` })).toBeVisible()
  await tabTo(page, 'button', 'Import', { within: 1 })
  await tabTo(page, 'button', 'Auto generate', { within: 1 })
  await press(page, 'button', 'Create mailboxes', { within: 1 })

  // The first field has the focus, and after the slip the field that is wrong.
  const creating = page.getByRole('dialog', { name: 'Create mailbox' })
  await expectAt(page, 'textbox', 'First name')
  await page.keyboard.type('M')
  await typeInto(page, 'Last name', 'Somerville', { within: 1 })
  await tabTo(page, 'combobox', 'Domain', { within: 1 })
  await page.keyboard.press('ArrowDown')
  await expectAt(page, 'option', domain.name)
  await page.keyboard.press('Enter')
  await expectAt(page, 'combobox', 'Domain')
  await expect(creating.getByRole('combobox', { name: 'Domain' })).toHaveText(domain.name)
  await tabTo(page, 'textbox', 'Email', { within: 1 })
  await expect(creating.getByLabel('Email')).toHaveValue(`m.somerville@${domain.name}`)
  await page.keyboard.press('Enter')
  await expectAt(page, 'textbox', 'First name')
  await expect(creating.getByLabel('First name')).toHaveAccessibleDescription('Empty first name')
  await page.keyboard.press('End')
  await page.keyboard.type('ary')
  await expect(creating.getByLabel('Email')).toHaveValue(address)

  // Escape asks before it throws away, and 'Cancel' leads back to where one was.
  await page.keyboard.press('Escape')
  await expectAt(page, 'button', 'Cancel')
  await page.keyboard.press('Enter')
  await expectAt(page, 'textbox', 'First name')
  await press(page, 'button', 'Create', { within: 6 })
  await expectToast(page, 'Mailbox created', address)
  await expect(creating).toHaveCount(0)
  await expectAt(page, 'button', 'Create mailboxes')

  // Its menu is in its row; the dialog gives the focus back to it.
  await press(page, 'button', `Actions for ${address}`)
  await expectAt(page, 'menuitem', 'Edit Record')
  await page.keyboard.press('Enter')
  await expectAt(page, 'textbox', 'First name')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Martha')
  await page.keyboard.press('Enter')
  await expectToast(page, 'Mailbox saved', address)
  await expectAt(page, 'button', `Actions for ${address}`)
  await expect(page.getByRole('cell', { name: 'Martha Somerville' })).toBeVisible()

  // What can be paid is selected at first: without this one there is nothing to pay.
  await tabTo(page, 'checkbox', `Select ${address}`, { within: 3, back: true })
  await page.keyboard.press('Space')
  await expect(page.getByRole('button', { name: /^Pay Now/ })).toHaveCount(0)
  await page.keyboard.press('Space')
  // What can be done with the selected rows lies between.
  await tabTo(page, 'button', 'Set up access', { within: 10, back: true })
  await press(page, 'button', 'Pay Now ($2)', { within: 3, back: true })
  await expectAt(page, 'button', 'Cancel')
  await press(page, 'button', 'Pay $2', { within: 1 })
  await expectToast(page, '1 mailbox activated')
  await expectAt(page, 'region', 'Mailboxes')

  await press(page, 'button', `Actions for ${address}`)
  await expectAt(page, 'menuitem', 'Edit Record')
  await page.keyboard.press('ArrowUp')
  await expectAt(page, 'menuitem', 'Delete Record')
  await page.keyboard.press('Enter')
  const question = page.getByRole('alertdialog', { name: `Delete ${address}?` })
  await expect(question).toContainText('All mail of Martha Somerville')
  await expectAt(page, 'button', 'Cancel')
  await press(page, 'button', 'Delete mailbox', { within: 1 })
  await expectToast(page, 'Mailbox deleted', address)
  await expect(page.getByRole('link', { name: address })).toHaveCount(0)
  // The row that took its place.
  await expectAt(page, 'button', `Actions for zoe@${domain.name}`)
})

test('I go on at the list also when the rows tell of a payment before its own answer does', async ({
  setting,
  person: { page, workspace },
}) => {
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  await aMailbox(setting, { domain, localPart: 'zoe', status: 'inactive' })
  await opened(page, '/dashboard/mailboxes')
  const { promise: isTold, resolve: tell } = Promise.withResolvers<void>()
  await page.route('**/api/v1/payments', async (route) => {
    const response = await route.fetch()
    await isTold
    await route.fulfill({ response })
  })
  await expect(page.getByRole('button', { name: 'Pay Now ($2)' })).toBeVisible()
  await press(page, 'button', 'Pay Now ($2)', { within: 17 })
  await expectAt(page, 'button', 'Cancel')
  await press(page, 'button', 'Pay $2', { within: 1 })
  const row = page.getByRole('row', { includeHidden: true }).filter({ hasText: 'zoe@' })
  await expect(row.getByText('Active', { exact: true })).toBeVisible()
  tell()
  await expectToast(page, '1 mailbox activated')
  await expectAt(page, 'region', 'Mailboxes')
})

test('I go on at the list when the button I am at is done with', async ({
  setting,
  person: { page, workspace, call },
}) => {
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  await aMailbox(setting, { domain, localPart: 'zoe' })
  await opened(page, '/dashboard/mailboxes')
  const isMade = async (localPart: string) => {
    const email = `${localPart}@${domain.name}`
    const names = { firstName: 'Ada', lastName: 'Byron' }
    const { status } = await call('POST', '/mailboxes', { ...names, email, domain: domain.name })
    expect(status).toBe(201)
  }
  // Another member makes a mailbox, and paying for it comes before access.
  await tabTo(page, 'button', 'Give access')
  await isMade('mary')
  await expect(page.getByRole('button', { name: 'Pay Now ($2)' })).toBeVisible()
  await expectAt(page, 'region', 'Mailboxes')

  await tabTo(page, 'checkbox', `Select zoe@${domain.name}`)
  await page.keyboard.press('Space')
  await press(page, 'button', 'Clear the selection', { back: true })
  await expect(page.getByRole('region', { name: 'Selected rows' })).toHaveCount(0)
  await expectAt(page, 'region', 'Mailboxes')
})
