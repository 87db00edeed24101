/** What people put into the fields of every form, and what the specification has to say about it; '' where it is right. */
import type { Page } from '@playwright/test'
import type { World } from './world.ts'

export const kinds = ['empty', 'short', 'long', 'wrong', 'unicode', 'rtl', 'huge'] as const
export type Kind = (typeof kinds)[number]
type Value = readonly [typed: string, words: string]
export type Field = Record<Kind, Value>

export type BadForm = {
  path: string | ((world: World) => string)
  open?: (page: Page, world: World) => Promise<unknown>
  fields: Record<string, Field>
  /** Pressed with every field empty; absent where it stays disabled until the form is right. */
  submit?: string
}

const HUGE = 10_000
const NO_BREAKS = 'Line breaks and control characters are not allowed'
const field = (...[empty, short, long, wrong, unicode, rtl, huge]: Value[]): Field => {
  const none: Value = ['', '']
  return {
    ...{ empty: empty ?? none, short: short ?? none, long: long ?? none, wrong: wrong ?? none },
    ...{ unicode: unicode ?? none, rtl: rtl ?? none, huge: huge ?? none },
  }
}

/** A line of text of at least `min` characters; `words` when there are fewer. */
const text = (words: string, min = 1, max = 100): Field =>
  field(
    ['', words],
    min === 1 ? ['   ', words] : ['x'.repeat(min - 1), words],
    ['x'.repeat(max + 1), `At most ${max} characters`],
    ['two\u2028lines', NO_BREAKS],
    ['Zoë-李小龍 🎉', ''],
    ['محمد الأنصاري', ''],
    ['ö'.repeat(HUGE), `At most ${max} characters`],
  )

const address = (empty: string, wrong: string): Field =>
  field(
    ['', empty],
    ['a@b', wrong],
    [`${'a'.repeat(65)}@elsewhere.example`, wrong],
    ['ada.lovelace', wrong],
    ['ada@bücher.example', ''],
    ['مرحبا@elsewhere.example', wrong],
    [`${'a'.repeat(HUGE)}@elsewhere.example`, wrong],
  )

const secret = (words: { empty: string; short: string; wrong?: string }, min: number, max = 128) =>
  field(
    ['', words.empty],
    ['Aa1!'.padEnd(min - 1, 'x').slice(0, min - 1), words.short],
    ['Aa1!'.padEnd(max + 1, 'x'), `Password must be at most ${max} characters long`],
    words.wrong ? ['all lower case', words.wrong] : ['two\u2028lines of it', NO_BREAKS],
    ['Пароль-№-9-Ada', ''],
    ['סיסמה-Engine-9', ''],
    ['Aa1!'.padEnd(HUGE, 'x'), `Password must be at most ${max} characters long`],
  )

/** Says nothing of its own as long as it is the same as the one above. */
const repeated = (of: Field, empty: string): Field => ({
  ...of,
  empty: ['', empty],
  short: [of.short[0], ''],
  wrong: [of.wrong[0], ''],
})

const WEAK =
  'Password must include lowercase, uppercase, number, and special character, and no spaces'
const EIGHT = 'Password must be at least 8 characters long'
const SEVEN = 'Password must be at least 7 characters long'
const PASSWORD = 'Please enter your password'
const visitorEmail = address('Please enter your email', 'Invalid email address')
const newSecret = secret({ empty: EIGHT, short: EIGHT, wrong: WEAK }, 8, 50)
const resetSecret = secret({ empty: PASSWORD, short: SEVEN }, 7)
const SIX = 'New password must be at least 6 characters'
const CONFIRM = 'Please confirm your new password'
const modalSecret = secret({ empty: SIX, short: SIX }, 6)
const HTTPS = 'Please enter an address that begins with https://'
const PORT = 'Please enter an address without a port: only 443 is posted to'
const GRACE = 'Please enter a number from 0 to 30'
const SIX_DIGITS = 'The code has 6 digits'
const DOMAIN = 'Invalid domain format (example: example.com)'

export const visitorForms: Record<string, BadForm> = {
  login: {
    path: '/login',
    fields: { Email: visitorEmail, Password: secret({ empty: PASSWORD, short: SEVEN }, 7) },
    submit: 'Login',
  },
  'sign-up': {
    path: '/sign-up',
    fields: {
      'First name': text('First name is required'),
      'Last name': text('Last name is required'),
      Email: visitorEmail,
      Password: newSecret,
      // As long as it is the same it may be longer than the password may.
      'Confirm Password': {
        ...repeated(newSecret, ''),
        long: [newSecret.long[0], ''],
        huge: [newSecret.huge[0], 'Password must be at most 128 characters long'],
      },
    },
    submit: 'Sign Up',
  },
  'forgot-password': {
    path: '/forgot-password',
    fields: { Email: visitorEmail },
    submit: 'Send Email',
  },
  'create-new-password': {
    path: `/create-new-password?token=${'x'.repeat(43)}`,
    fields: {
      'New Password': resetSecret,
      'Confirm Password': repeated(resetSecret, 'Please confirm your password'),
    },
    submit: 'Save New Password',
  },
}

const press = (name: string) => (page: Page) =>
  page.getByRole('button', { name, exact: true }).first().click()

export const personForms: Record<string, BadForm> = {
  domain: {
    path: '/dashboard/add-domain',
    fields: {
      'Enter domain': field(
        ['', 'Domain must be at least 3 characters'],
        ['ab', 'Domain must be at least 3 characters'],
        [`${'x'.repeat(47)}.com`, 'Domain too long'],
        ['not a domain', DOMAIN],
        ['bücher.example', ''],
        ['دانشگاه.example', ''],
        ['x'.repeat(HUGE), 'Domain too long'],
      ),
    },
  },
  mailbox: {
    path: '/dashboard/new-mail-box',
    fields: {
      'First name': text('Empty first name', 2),
      'Last name': text('Empty last name', 2),
      Email: address('Invalid email address', 'Invalid email address'),
    },
    submit: 'Create',
  },
  'mailbox settings': {
    path: ({ mailboxId }) => `/dashboard/mail-box-settings?mailbox=${mailboxId}`,
    fields: {
      'First name': text('Empty first name', 2),
      'Last name': text('Empty last name', 2),
    },
    submit: 'Save',
  },
  alias: {
    path: ({ mailboxId }) => `/dashboard/mail-box-settings?mailbox=${mailboxId}`,
    fields: {
      'New alias': {
        ...address('Invalid email address', 'Invalid email address'),
        // A name alone is at the domain that is chosen beside it.
        wrong: ['ada lovelace', 'Invalid email address'],
      },
    },
    submit: 'Add alias',
  },
  'app password': {
    path: ({ mailboxId }) => `/dashboard/mail-box-settings?mailbox=${mailboxId}`,
    open: (page) => page.getByRole('button', { name: 'New app password' }).click(),
    fields: { Name: text('Please enter a name', 1, 60) },
    submit: 'Make app password',
  },
  'API key': {
    ...{ path: '/dashboard/developers', open: press('New workspace key') },
    ...{ fields: { Name: text('Please enter a name', 1, 60) }, submit: 'Make API key' },
  },
  passkey: {
    ...{ path: '/dashboard/security', open: press('Add a passkey') },
    ...{ fields: { Name: text('Please enter a name', 1, 60) }, submit: 'Continue' },
  },
  'authenticator app': {
    ...{ path: '/dashboard/security', open: press('Set up the app'), submit: 'Turn it on' },
    fields: {
      Code: field(
        ...(['', '12345', '1234567', 'abcdef'] as const).map((typed): Value => [typed, SIX_DIGITS]),
        ['１２３４５６', SIX_DIGITS],
        ['١٢٣٤٥٦', SIX_DIGITS],
        // It takes no more.
        ['1'.repeat(20), SIX_DIGITS],
      ),
    },
  },
  'second factor that is required': {
    path: '/dashboard/settings',
    ...{ open: press('Require a second factor'), submit: 'Require it' },
    fields: {
      'Days of grace': field(
        ...(['', '-1', '31', 'a week'] as const).map((typed): Value => [typed, GRACE]),
        ['７', GRACE],
        ['٧', GRACE],
        ['9'.repeat(HUGE), GRACE],
      ),
    },
  },
  webhook: {
    path: '/dashboard/developers?tab=webhooks',
    open: press('Add webhook'),
    fields: {
      Address: field(
        ['', 'Please enter an address'],
        ['a', HTTPS],
        [`https://hooks.example/${'x'.repeat(2_000)}`, 'At most 2000 characters'],
        ['ftp://hooks.example/', HTTPS],
        ['https://hooks.example:8443/', PORT],
        ['https://bücher.example/straße', ''],
        ['https://دانشگاه.example/', ''],
        [`https://hooks.example/${'x'.repeat(HUGE)}`, 'At most 2000 characters'],
      ),
    },
    submit: 'Add webhook',
  },
  company: {
    path: '/dashboard/settings',
    fields: {
      Name: text('Username is required', 1, 200),
      Website: field(
        ['', ''],
        ['http://a', 'Enter a valid URL'],
        [`https://${'x'.repeat(500)}.example`, 'At most 500 characters'],
        ['javascript:alert(1)', 'Enter a valid URL'],
        ['https://bücher.example/straße', ''],
        ['https://دانشگاه.example/', ''],
        [`https://${'x'.repeat(HUGE)}.example`, 'At most 500 characters'],
      ),
      Phone: field(
        ['', 'Phone number must be at least 6 digits'],
        ['12345', 'Phone number must be at least 6 digits'],
        ['1'.repeat(51), 'At most 50 characters'],
        ['call me maybe', 'Phone number must be at least 6 digits'],
        ['+４４ ２０ ７９４６', ''],
        ['٠١٢٣٤٥٦٧', ''],
        ['1'.repeat(HUGE), 'At most 50 characters'],
      ),
      Address: text('Address is required', 1, 300),
      'Zip Code': text('Zip code is required', 1, 20),
      City: text('City is required'),
    },
    submit: 'Update',
  },
  profile: {
    path: '/dashboard/profile',
    fields: {
      'First name': text('First name is required'),
      'Last name': text('Last name is required'),
      Email: address('Enter a valid email address', 'Enter a valid email address'),
    },
    submit: 'Save changes',
  },
  password: {
    path: '/dashboard/profile?',
    open: press('Update password'),
    fields: {
      'Old Password': secret(
        { empty: 'Old password is required', short: 'Old password is required' },
        6,
      ),
      'New Password': modalSecret,
      'Confirm New Password': {
        ...modalSecret,
        empty: ['', CONFIRM],
        short: [modalSecret.short[0], CONFIRM],
      },
    },
    submit: 'Save',
  },
  workspace: {
    path: '/dashboard',
    open: async (page) => {
      await page.getByRole('button', { name: /^Workspace:/ }).click()
      await page.getByRole('menuitem', { name: 'Create workspace' }).click()
    },
    fields: { Name: text('Please enter a name', 1, 60) },
    submit: 'Create',
  },
}
