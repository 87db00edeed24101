/** The dialog that creates and edits a mailbox. */
import type { Page } from '@playwright/test'
import { EMAIL_OUTSIDE_DOMAIN } from '#contract/mailboxes.ts'
import { aDomain, aMailbox } from '#test-world/builders.ts'
import { sendMail } from '#test-world/smtp/smtp-client.ts'
import { expect, expectToast, failing, test } from './setting.ts'

// Without motion nothing is waited for.
const dialog = (page: Page) => page.getByRole('dialog')
const field = (page: Page, label: string) => dialog(page).getByLabel(label, { exact: true })
const button = (page: Page, name: string) => dialog(page).getByRole('button', { name })
const rows = (page: Page) => page.getByRole('row')

const expectMessage = async (page: Page, label: string, message: string) => {
  await expect(field(page, label)).toHaveAccessibleDescription(message)
  await expect(field(page, label)).toHaveAttribute('aria-invalid', 'true')
  await expect(dialog(page).getByText(message)).toBeVisible()
}

const chooseDomain = async (page: Page, name: string) => {
  await field(page, 'Domain').click()
  await page.getByRole('option', { name }).click()
}

const edit = async (page: Page, email: string) => {
  await page.getByRole('button', { name: `Actions for ${email}` }).click()
  await page.getByRole('menuitem', { name: 'Edit Record' }).click()
}

test('the form is empty at first, and each field says what is wrong [3.12 5.14 5.15 5.16]', async ({
  setting,
  person: { page, workspace },
}) => {
  await aDomain(setting, { workspaceId: workspace.id, active: true })
  await page.goto('/dashboard/new-mail-box')
  for (const label of ['First name', 'Last name', 'Email'])
    await expect(field(page, label)).toHaveValue('')
  await expect(field(page, 'Domain')).toHaveText('Select a domain')

  await button(page, 'Create').click()
  await expectMessage(page, 'First name', 'Empty first name')
  await expectMessage(page, 'Last name', 'Empty last name')
  await expectMessage(page, 'Email', 'Invalid email address')
  await expectMessage(page, 'Domain', 'Empty domain')
  await expect(field(page, 'First name')).toBeFocused()

  const long = 'x'.repeat(10_000)
  for (const [label, empty] of [
    ['First name', 'Empty first name'],
    ['Last name', 'Empty last name'],
  ] as const) {
    await field(page, label).fill(' Y ')
    await expectMessage(page, label, empty)
    await field(page, label).fill(long)
    await expectMessage(page, label, 'At most 100 characters')
    await expect(field(page, label)).toHaveValue(long)
    for (const fine of ['Yo', 'עדה', 'Zoë 🙂']) {
      await field(page, label).fill(fine)
      await expect(field(page, label)).not.toHaveAttribute('aria-invalid', 'true')
    }
  }
  for (const wrong of ['ada', 'ada@', '@example.com', 'a b@example.com', 'أدا@مثال', long]) {
    await field(page, 'Email').fill(wrong)
    await expectMessage(page, 'Email', 'Invalid email address')
    await expect(field(page, 'Email')).toHaveValue(wrong)
  }
  await field(page, 'Email').fill('ada@example.com')
  await expect(field(page, 'Email')).not.toHaveAttribute('aria-invalid', 'true')
})

test('the server says the same of a domain as the form [5.16]', async ({
  setting,
  person: { workspace, call },
}) => {
  await aDomain(setting, { workspaceId: workspace.id, active: true })
  const form = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' }
  const messages = {
    ab: 'Empty domain',
    [`${'x'.repeat(47)}.com`]: 'Domain too long',
    'no-dot': 'Invalid domain format (example: example.com)',
  }
  for (const [domain, message] of Object.entries(messages)) {
    const { status, body } = await call('POST', '/mailboxes', { ...form, domain })
    expect({ status, body }).toMatchObject({ status: 422, body: { data: { domain: message } } })
  }
  const noted = await call('POST', '/mailboxes', { ...form, domain: `${'x'.repeat(46)}.com` })
  expect(noted.body).toMatchObject({ data: { email: EMAIL_OUTSIDE_DOMAIN } })
})

test('only active and verified domains are offered, and without one the way on is shown [3.14]', async ({
  setting,
  person: { page, workspace },
}) => {
  await page.goto('/dashboard/new-mail-box')
  await expect(field(page, 'Domain')).toBeDisabled()
  await expect(dialog(page).getByText('No domain is active yet.')).toBeVisible()
  await dialog(page).getByRole('link', { name: 'Add and verify one' }).click()
  await expect(page).toHaveURL('/dashboard/add-domain')
  await expect(dialog(page)).toHaveCount(0)

  const { id: workspaceId } = workspace
  const offered = await aDomain(setting, { workspaceId, active: true })
  await aDomain(setting, { workspaceId, verified: true })
  await aDomain(setting, { workspaceId, isActive: true, isVerified: false })
  await aDomain(setting, { workspaceId })
  await page.goto('/dashboard/new-mail-box')
  await field(page, 'Domain').click()
  await expect(page.getByRole('option')).toHaveText([offered.name])
})

test('the part before the @ is enough: the domain chosen, or the only one, is added', async ({
  setting,
  person: { page, workspace },
}) => {
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  await page.goto('/dashboard/new-mail-box')
  await field(page, 'First name').fill('Gerda')
  await field(page, 'Last name').fill('Maier-Garten')
  await field(page, 'Email').fill('gerda')
  await field(page, 'Email').press('Enter')
  await expectToast(page, 'Mailbox created', `gerda@${domain.name}`)
  await expect(rows(page).nth(1)).toContainText(`gerda@${domain.name}`)

  await page.getByRole('button', { name: 'Create mailboxes' }).click()
  await field(page, 'First name').fill('Ines-Maria')
  await field(page, 'Last name').fill('Maier-Garten')
  await chooseDomain(page, domain.name)
  await expect(field(page, 'Email')).toHaveValue(`ines-maria.maier-garten@${domain.name}`)
})

test('a new mailbox stands at the front; what is refused stays in the form [1.6 4.41]', async ({
  setting,
  person: { page, workspace, call },
}) => {
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  const other = await aDomain(setting, { workspaceId: workspace.id, active: true })
  const taken = await aMailbox(setting, { domain, localPart: 'zoe.muller' })
  await page.goto('/dashboard/mailboxes')
  await page.getByRole('button', { name: 'Create mailboxes' }).click()
  await field(page, 'First name').fill('Zoë')
  await field(page, 'Last name').fill('Müller')
  await chooseDomain(page, domain.name)
  // The address follows the names until it is typed.
  await expect(field(page, 'Email')).toHaveValue(taken.email)
  await button(page, 'Create').click()
  await expectMessage(page, 'Email', 'A mailbox with this address already exists')
  await expect(field(page, 'First name')).toHaveValue('Zoë')

  await field(page, 'Email').fill('zoe@elsewhere.example')
  await button(page, 'Create').click()
  await expectMessage(page, 'Email', EMAIL_OUTSIDE_DOMAIN)
  await expect(field(page, 'Email')).toHaveValue('zoe@elsewhere.example')
  await chooseDomain(page, other.name)
  await expect(field(page, 'Email')).toHaveValue(`zoe@${other.name}`)

  const succeed = await failing(page, 'POST', '/mailboxes', { statusCode: 500 })
  await button(page, 'Create').click()
  await expect(dialog(page).getByRole('alert')).toHaveText('Something went wrong')
  await succeed()
  await button(page, 'Create').dblclick()
  await expectToast(
    page,
    'Mailbox created',
    `zoe@${other.name} becomes active when it is paid for.`,
  )
  await expect(dialog(page)).toHaveCount(0)
  await expect(rows(page).nth(1)).toContainText(`zoe@${other.name}`)
  await expect(rows(page).nth(2)).toContainText(taken.email)
  const { items } = (await call('GET', '/mailboxes')).body as { items: Record<string, unknown>[] }
  expect(items.map(({ fullName, domain: name, status }) => [fullName, name, status])).toEqual([
    ['Zoë Müller', other.name, 'inactive'],
    ['Ada Lovelace', domain.name, 'active'],
  ])
})

test('editing changes the mailbox in its place; its address is fixed once it has mail [4.40]', async ({
  setting,
  person: { page, workspace },
}) => {
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  const other = await aDomain(setting, { workspaceId: workspace.id, active: true })
  const mailbox = await aMailbox(setting, { domain, localPart: 'ada' })
  const newer = await aMailbox(setting, { domain, localPart: 'bob' })
  await page.goto('/dashboard/mailboxes')
  await edit(page, mailbox.email)
  await expect(dialog(page)).toHaveAccessibleName('Edit mailbox')
  await expect(field(page, 'First name')).toHaveValue('Ada')
  await expect(field(page, 'Last name')).toHaveValue('Lovelace')
  await expect(field(page, 'Email')).toHaveValue(mailbox.email)
  await expect(field(page, 'Domain')).toHaveText(domain.name)
  await expect(button(page, 'Save')).toBeDisabled()
  await expect(dialog(page).getByRole('link', { name: 'mailbox settings' })).toHaveAttribute(
    'href',
    `/dashboard/mail-box-settings?mailbox=${mailbox.id}`,
  )
  await field(page, 'First name').fill('A')
  await button(page, 'Save').click()
  await expectMessage(page, 'First name', 'Empty first name')
  await field(page, 'First name').fill('Augusta')
  await chooseDomain(page, other.name)
  await expect(field(page, 'Email')).toHaveValue(`ada@${other.name}`)
  await button(page, 'Save').click()
  await expectToast(page, 'Mailbox saved', `ada@${other.name}`)
  await expect(rows(page).nth(1)).toContainText(newer.email)
  await expect(rows(page).nth(2)).toContainText(`ada@${other.name}`)
  await expect(rows(page).nth(2)).toContainText('Augusta Lovelace')

  const raw = 'From: grace@elsewhere.example\r\nSubject: Hello\r\n\r\nHello\r\n'
  const { smtpPort } = setting.product
  await sendMail(smtpPort, { from: 'grace@elsewhere.example', to: newer.email, raw })
  await edit(page, newer.email)
  await field(page, 'Email').fill(`robert@${domain.name}`)
  await button(page, 'Save').click()
  await expectMessage(page, 'Email', 'The address cannot change once the mailbox has mail')
  await expect(field(page, 'Email')).toHaveValue(`robert@${domain.name}`)
})

test('what was typed is not lost by a slip, but can be discarded [3.12]', async ({
  setting,
  person: { page, workspace },
}) => {
  await aDomain(setting, { workspaceId: workspace.id, active: true })
  await page.goto('/dashboard/mailboxes')
  await page.getByRole('button', { name: 'Create mailboxes' }).first().click()
  await field(page, 'First name').fill('Ada')
  const question = page.getByRole('alertdialog', { name: 'Discard what you entered?' })
  for (const slip of [
    () => page.keyboard.press('Escape'),
    () => page.mouse.click(5, 5),
    () => button(page, 'Close').click(),
    () => button(page, 'Cancel').click(),
  ]) {
    await slip()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await expect(question).toHaveCount(0)
    await expect(field(page, 'First name')).toHaveValue('Ada')
  }
  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Discard' }).click()
  await expect(dialog(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Create mailboxes' }).first().click()
  await expect(field(page, 'First name')).toHaveValue('')
})
