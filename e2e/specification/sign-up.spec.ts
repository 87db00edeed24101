/** The sign-up page, and the modal after it. */
import type { Page } from '@playwright/test'
import { aUser } from '#test-world/builders.ts'
import { PASSWORD } from '#test-world/trials/account.ts'
import { tick } from '../browsers.ts'
import {
  aMember,
  anAddress,
  expectRefused,
  expectTaken,
  goodEmails,
  inTrouble,
  toastWith,
  troubles,
  withInstallation,
  wrongEmails,
} from './auth-parts.ts'
import { expect, holding, test } from './setting.ts'

const on = (page: Page) => ({
  firstName: page.getByRole('textbox', { name: 'First name', exact: true }),
  lastName: page.getByRole('textbox', { name: 'Last name', exact: true }),
  email: page.getByRole('textbox', { name: 'Email', exact: true }),
  password: page.getByLabel('Password', { exact: true }),
  confirm: page.getByLabel('Confirm Password', { exact: true }),
  terms: page.getByRole('checkbox', { name: 'I agree to the Terms and conditions', exact: true }),
  signUp: page.getByRole('button', { name: 'Sign Up', exact: true }),
  pending: page.getByRole('button', { name: 'Signing up...', exact: true }),
  modal: page.getByRole('dialog', { name: 'Email verification', exact: true }),
})

const fill = async (page: Page, address: string): Promise<void> => {
  const { firstName, lastName, email, password, confirm, terms } = on(page)
  await firstName.fill('Grace')
  await lastName.fill('Hopper')
  await email.fill(address)
  await password.fill(PASSWORD)
  await confirm.fill(PASSWORD)
  await tick(terms)
}

test('heading, fields, buttons, the terms, and the way to login [2.13 2.14 2.15]', async ({
  visitor: page,
}) => {
  await page.goto('/sign-up')
  const { firstName, lastName, email, password, confirm, terms, signUp } = on(page)
  await expect(page.getByRole('heading', { name: 'Create an account', level: 1 })).toBeVisible()
  for (const [field, autocomplete] of [
    [firstName, 'given-name'],
    [lastName, 'family-name'],
    [email, 'username'],
    [password, 'new-password'],
    [confirm, 'new-password'],
  ] as const)
    await expect(field).toHaveAttribute('autocomplete', autocomplete)
  await expect(signUp).toBeEnabled()
  await expect(
    page.getByRole('button', { name: 'Continue with Google', exact: true }),
  ).toHaveAccessibleDescription('Google sign-in is not set up here')

  await expect(terms).not.toBeChecked()
  await page.getByText('I agree to the').click({ position: { x: 4, y: 8 } })
  await expect(terms).toBeChecked()
  await terms.press('Space')
  await expect(terms).not.toBeChecked()

  // The terms open beside the form, which keeps what was typed.
  await firstName.fill('Grace')
  const opened = page.waitForEvent('popup')
  await page.getByRole('link', { name: 'Terms and conditions', exact: true }).click()
  const other = await opened
  await expect(other).toHaveURL('/terms')
  await expect(other.getByRole('heading', { name: 'Terms and conditions', level: 1 })).toBeVisible()
  await other.close()
  await expect(firstName).toHaveValue('Grace')
  await expect(terms).not.toBeChecked()

  await page.getByRole('link', { name: 'Login', exact: true }).click()
  await expect(page).toHaveURL('/login')
})

test('an operator has terms of their own [2.14]', async ({ visitor: page }) => {
  const termsUrl = 'https://operator.example/terms'
  await withInstallation(page, { termsUrl })
  await page.goto('/sign-up')
  const link = page.getByRole('link', { name: 'Terms and conditions', exact: true })
  await expect(link).toHaveAttribute('href', termsUrl)
  await page.goto('/terms')
  await expect(page.getByRole('link', { name: termsUrl })).toHaveAttribute('href', termsUrl)
})

test('terms and privacy name the operator and how to reach them', async ({ visitor: page }) => {
  await withInstallation(page, {
    operatorName: 'Nordpost',
    operatorContact: 'help@nordpost.example',
  })
  for (const path of ['/terms', '/privacy']) {
    await page.goto(path)
    await expect(page.getByRole('main')).toContainText('It is operated by Nordpost, who')
    await expect(page.getByRole('link', { name: 'help@nordpost.example' })).toHaveAttribute(
      'href',
      'mailto:help@nordpost.example',
    )
  }
})

test('where no mail is sent, the modal says where the link is', async ({ visitor: page }) => {
  await withInstallation(page, { keepsSystemMail: true })
  await page.goto('/sign-up')
  await fill(page, anAddress())
  const { signUp, modal } = on(page)
  await signUp.click()
  await expect(modal).toContainText('This installation sends no mail yet.')
  await expect(modal).toContainText(
    'is in the terminal where Mailstead runs, and on the page /dev/outbox',
  )
  await expect(modal).not.toContainText('We sent')
})

test('an empty form: every field says what it wants, and the first has the focus [5.1 5.2 5.3 5.5 5.6]', async ({
  visitor: page,
}) => {
  await page.goto('/sign-up')
  const { firstName, lastName, email, password, terms, signUp } = on(page)
  await expect(password).toHaveAccessibleDescription(/^8 to 50 characters, with lowercase/)
  await signUp.click()
  for (const [field, words] of [
    [firstName, 'First name is required'],
    [lastName, 'Last name is required'],
    [email, 'Please enter your email'],
    [password, 'Password must be at least 8 characters long'],
    [terms, 'You must accept the terms and conditions'],
  ] as const) {
    await expect(field).toHaveAccessibleDescription(words)
    await expect(page.getByText(words, { exact: true })).toBeVisible()
  }
  await expect(firstName).toBeFocused()
  await tick(terms)
  await expect(terms).toHaveAccessibleDescription('')

  await fill(page, anAddress())
  await terms.uncheck()
  await signUp.click()
  await expect(terms).toBeFocused()
  await expect(terms).toHaveAccessibleDescription('You must accept the terms and conditions')
})

const WEAK =
  'Password must include lowercase, uppercase, number, and special character, and no spaces'

test('what is wrong is told at the field, and nothing is sent [5.1 5.2 5.4 5.5 5.6]', async ({
  visitor: page,
}) => {
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/auth/register')) sent.push(request.url())
  })
  await page.goto('/sign-up')
  const { firstName, lastName, email, password, confirm } = on(page)
  await fill(page, anAddress())
  for (const [field, words] of [
    [firstName, 'First name is required'],
    [lastName, 'Last name is required'],
  ] as const) {
    await expectRefused(field, [
      ['', words],
      ['   ', words],
      ['x'.repeat(10_000), 'At most 100 characters'],
    ])
    await expectTaken(field, ['نور الدين', "O'Brien-Łukasz 李", 'x'.repeat(100)])
  }
  await expectRefused(email, wrongEmails)
  await expectTaken(email, goodEmails)

  // While the first password is wrong it has the focus, whatever its confirmation is.
  await expectRefused(password, [
    ['', 'Password must be at least 8 characters long'],
    ['Engin-1', 'Password must be at least 8 characters long'],
    [`Aa1!${'x'.repeat(47)}`, 'Password must be at most 50 characters long'],
    [`Aa1!${'x'.repeat(10_000)}`, 'Password must be at most 50 characters long'],
    ['engine-no-1', WEAK],
    ['ENGINE-NO-1', WEAK],
    ['Engine-No-One', WEAK],
    ['EngineNo1', WEAK],
    ['Engine No-1', WEAK],
    ['كلمة-السر-1', WEAK],
  ])
  await expectTaken(password, ['Engin-1!', `Aa1!${'x'.repeat(46)}`, 'Ünïcödé-1', PASSWORD])
  await expectRefused(confirm, [
    ['', "Passwords don't match."],
    [PASSWORD.toLowerCase(), "Passwords don't match."],
    [`${PASSWORD} `, "Passwords don't match."],
  ])
  await expectTaken(confirm, [PASSWORD])
  expect(sent).toEqual([])
})

test('signed up: the modal shows my address and sends the link again [2.15 2.16 4.22 8.18]', async ({
  visitor: page,
  setting,
}) => {
  const address = anAddress()
  await page.clock.install()
  await page.goto('/sign-up')
  const { firstName, signUp, pending, modal, confirm } = on(page)
  await fill(page, address)
  const goOn = await holding(page, '/auth/register')
  const asked = page.waitForRequest('**/auth/register')
  await confirm.press('Enter')
  expect((await asked).postDataJSON()).toEqual({
    ...{ firstName: 'Grace', lastName: 'Hopper', email: address },
    ...{ password: PASSWORD, confirmPassword: PASSWORD, termsAccepted: true },
  })
  await expect(pending).toBeDisabled()
  await expect(signUp).toBeHidden()
  await expect(modal).toBeHidden()
  goOn()
  await expect(modal.getByText(address, { exact: true })).toBeVisible()
  const { email: mail } = await setting.product.mailTo(address)
  expect(mail.text).toContain('/verify-email?token=')

  await expect(modal.getByRole('button', { name: /^Resend in 2\ds$/ })).toBeDisabled()
  await page.clock.fastForward(30_000)
  await modal.getByRole('button', { name: 'Resend Email', exact: true }).click()
  await toastWith(page, 'Email Resent', `Verification email sent to ${address}`)
  const { email: again } = await setting.product.mailTo(address, 2)
  expect(again.text).toContain('/verify-email?token=')

  await modal.getByRole('button', { name: 'Close' }).click()
  await expect(modal).toBeHidden()
  await expect(firstName).toHaveValue('Grace')
})

test('an address that waits for its link opens the modal too [2.16 4.23]', async ({
  visitor: page,
  setting,
}) => {
  const { email: address } = await aUser(setting, { email: anAddress(), isVerified: false })
  await page.goto('/sign-up')
  await fill(page, address)
  const { signUp, modal } = on(page)
  await signUp.click()
  await expect(modal.getByText(address, { exact: true })).toBeVisible()
  await expect(modal.getByRole('button', { name: /^Resend in \d+s$/ })).toBeDisabled()
  await expect(page.getByText('❌ Error')).toBeHidden()
})

test('any other error is a toast, and the form stays [4.24]', async ({
  visitor: page,
  setting,
}) => {
  const { email: known } = await aMember(setting)
  await page.goto('/sign-up')
  await fill(page, known)
  const { email, password, confirm, terms, signUp, modal } = on(page)
  const signUpAndRead = async (message: string) => {
    await signUp.click()
    await toastWith(page, '❌ Error', message)
    await page.getByRole('button', { name: 'Close notification' }).click()
    await expect(modal).toBeHidden()
    await expect(email).toHaveValue(known)
    await expect(password).toHaveValue(PASSWORD)
    await expect(terms).toBeChecked()
  }
  await signUpAndRead('An account with this email already exists')
  for (const trouble of troubles) {
    const mend = await inTrouble(page, '/auth/register', trouble)
    await signUpAndRead(trouble.message)
    await mend()
  }

  // Errors that only the server can find show at the field too.
  await password.fill('P@ssw0rd')
  await confirm.fill('P@ssw0rd')
  await signUp.click()
  await expect(password).toHaveAccessibleDescription(/one of the most common ones/)
  await expect(password).toBeFocused()
})
