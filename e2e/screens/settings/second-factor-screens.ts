import type { SecondFactor } from '#contract/account/second-factor.ts'
import { button, click, dialog, question, type Screen } from '../screen.ts'

const at = '2026-11-20T09:30:00.000Z'
const later = '2027-01-20T09:30:00.000Z'
const LONG = 'The old blue security key with the sticker that hangs on the board by the door'

const passkey = (name: string, given: Partial<SecondFactor['passkeys'][number]> = {}) => ({
  ...{ _id: crypto.randomUUID(), name, createdAt: at, lastUsedAt: at },
  ...{ isBackedUp: true, isUsable: true, ...given },
})

const full: SecondFactor = {
  totpSince: at,
  passkeysWork: true,
  passkeys: [
    passkey('Phone'),
    passkey(LONG, { isBackedUp: false, lastUsedAt: null }),
    passkey('Laptop', { isUsable: false }),
  ],
  recoveryCodesLeft: 2,
  trustedBrowsers: [
    {
      ...{ _id: crypto.randomUUID(), browser: 'Samsung Internet on Android' },
      ...{ ip: '2001:db8:1234:5678:9abc:def0:1234:5678', createdAt: at, lastUsedAt: at },
      expiresAt: later,
    },
  ],
}

const codes = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'].map(
  (digit) => `k3m${digit}-x7pq-9v${digit}t-c5wz`,
)
const begun = {
  secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  uri: 'otpauth://totp/Mailstead:ada@example.com?issuer=Mailstead&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
}
const asked = { methods: ['totp', 'passkey', 'recovery-code'], challenge: 'x', passkey: {} }
const refused = (type: string, data: object) => ({
  status: 403,
  json: { type, message: 'Please confirm that it is you', statusCode: 403, path: '/', data },
})

const security = (screen: Omit<Screen, 'who' | 'path'>): Screen => ({
  ...{ who: 'member', path: '/dashboard/security' },
  ...screen,
})
const withFactors = { 'GET /second-factor': { json: full } }

export const secondFactorScreens: Screen[] = [
  security({ name: 'security, nothing yet', state: 'empty', ready: 'No passkey yet' }),
  {
    ...security({ name: 'security, holder', state: 'empty', ready: 'No passkey yet' }),
    who: 'holder',
  },
  security({
    ...{ name: 'security, all of it', state: 'full', answers: withFactors },
    ready: 'Samsung Internet on Android',
  }),
  security({
    ...{ name: 'security, loading', state: 'loading', holds: ['/second-factor'] },
    ready: 'Loading...',
  }),
  security({
    ...{ name: 'security, failed', state: 'failing', fails: ['/second-factor'] },
    ready: 'Error loading your second factor',
  }),
  security({
    ...{ name: 'security, set up an app', state: 'open' },
    answers: { 'POST /second-factor/totp/begin': { json: begun } },
    steps: click('Set up the app'),
    ready: (page) => dialog(page).getByText('Or type this key'),
  }),
  security({
    ...{ name: 'security, recovery codes', state: 'open' },
    answers: {
      ...withFactors,
      'POST /second-factor/recovery-codes': { json: { recoveryCodes: codes } },
    },
    steps: async (page) => {
      await button(page, 'Make new codes').click()
      await question(page).getByRole('button', { name: 'Make new codes' }).click()
    },
    ready: (page) => dialog(page).getByText(codes[9] ?? ''),
  }),
  security({
    ...{ name: 'security, add a passkey', state: 'open', steps: click('Add a passkey') },
    ready: (page) => dialog(page).getByLabel('Name'),
  }),
  security({
    ...{ name: 'security, delete a passkey', state: 'open', answers: withFactors },
    steps: click('Delete Phone'),
    ready: (page) => question(page).getByText('It signs you in no more'),
  }),
  security({
    ...{ name: 'security, confirm', state: 'open' },
    answers: {
      ...withFactors,
      'DELETE /second-factor/totp': refused('STEP_UP_REQUIRED', {}),
      'POST /auth/step-up/begin': { json: asked },
    },
    steps: async (page) => {
      await button(page, 'Remove the app').click()
      await question(page).getByRole('button', { name: 'Remove the app' }).click()
    },
    ready: (page) => page.getByRole('textbox', { name: 'Code' }),
  }),
  {
    ...{ name: 'login, second step', who: 'visitor', state: 'full', path: '/login' },
    answers: { 'POST /auth/login': refused('SECOND_FACTOR_REQUIRED', asked) },
    steps: async (page) => {
      await page.getByLabel('Email').fill('ada@example.com')
      await page.getByLabel('Password', { exact: true }).fill('Engine-No-1!')
      await button(page, 'Login').click()
    },
    ready: 'Trust this browser',
  },
]
