/** By keyboard alone: a stranger signs up, looks around, leaves and comes back. */
import { anAddress } from '../specification/auth-parts.ts'
import { expect, expectToast, opened, test } from '../specification/setting.ts'
import { expectAt, expectHeading, press, seenFocus, tabTo, typeInto } from './keys.ts'

/** Runs in the page: what the server draws is there before the app, and its links load whole pages. */
const isListening = () =>
  Object.keys(document.getElementById('root') ?? {}).some((key) =>
    key.startsWith('__reactContainer'),
  )

const SECRET = 'Engine-No-1!'

test('I sign up, open the mailed link, log out and log in', async ({ setting, visitor: page }) => {
  const email = anAddress()
  await page.goto('/login')
  await page.waitForFunction(isListening)
  await press(page, 'link', 'Sign up')
  await expect(page).toHaveURL('/sign-up')
  await expectHeading(page, 'Create an account')

  // The first field that is wrong gets the focus.
  await press(page, 'button', 'Sign Up')
  await expectAt(page, 'textbox', 'First name')
  await page.keyboard.type('Ada')
  await typeInto(page, 'Last name', 'Lovelace', { within: 1 })
  await typeInto(page, 'Email', email, { within: 1 })
  await typeInto(page, 'Password', SECRET, { within: 1 })
  await tabTo(page, 'button', 'Show characters', { within: 1 })
  await typeInto(page, 'Confirm Password', SECRET, { within: 1 })
  await page.keyboard.press('Enter')
  await expectAt(page, 'checkbox', /^I agree/)
  await expect(page.getByText('You must accept the terms and conditions')).toBeVisible()
  await page.keyboard.press('Space')
  await tabTo(page, 'link', 'Terms and conditions', { within: 1 })
  await press(page, 'button', 'Sign Up', { within: 1 })

  // The dialog keeps the focus, and gives it back to the button that opened it.
  const sent = page.getByRole('dialog', { name: 'Email verification' })
  await expect(sent).toBeVisible()
  await expect(sent.locator(':focus')).toHaveCount(1)
  await tabTo(page, 'button', 'Close', { within: 2 })
  await page.keyboard.press('Enter')
  await expect(sent).toHaveCount(0)
  await expectAt(page, 'button', 'Sign Up')

  const mail = await setting.product.mailTo(email)
  const link = /^http\S+$/m.exec(mail.email.text ?? '')?.[0] ?? ''
  await page.goto(link)
  const welcome = page.getByRole('dialog', { name: 'Welcome to Mailstead' })
  await expectAt(page, 'button', 'Lets go')
  await page.keyboard.press('Enter')
  await expect(welcome).toHaveCount(0)
  await expectHeading(page, 'Dashboard')

  await press(page, 'button', 'Account menu', { back: true, within: 3 })
  await expectAt(page, 'menuitem', 'Profile')
  await page.keyboard.press('Escape')
  await expectAt(page, 'button', 'Account menu')
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowDown')
  await expectAt(page, 'menuitem', 'Log out')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/login')
  await expectHeading(page, 'Welcome Back')

  await typeInto(page, 'Email', email, { within: 1 })
  await typeInto(page, 'Password', 'Engine-No-2!', { within: 1 })
  await page.keyboard.press('Enter')
  await expectToast(page, 'Error', 'Invalid email or password')
  await expectAt(page, 'textbox', 'Password')
  await page.keyboard.press('Control+a')
  await page.keyboard.type(SECRET)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/dashboard')
  await expectHeading(page, 'Dashboard')
})

test('the first Tab offers the way past the menu', async ({ person: { page } }) => {
  await opened(page, '/dashboard/domains')
  await expect(page.getByText('No domain available')).toBeVisible()
  await tabTo(page, 'link', 'Skip to main', { within: 1 })
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
  await tabTo(page, 'button', 'Add Domain', { within: 1 })
  await page.keyboard.press('Tab')
  await seenFocus(page)
})
