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
export const withFactors = { 'GET /second-factor': { json: full } }

const none = { ...full, totpSince: null, passkeys: [], recoveryCodesLeft: 0, trustedBrowsers: [] }
const staying = { endsAt: null, lastAdminOf: [], isLastOperator: false }
const dueAt = '2027-01-02T12:00:00.000Z'
const workspace = {
  ...{ _id: crypto.randomUUID(), name: 'Analytical Engines', role: 'Admin', isCurrent: true },
  ...{ endsAt: null, suspendedFor: null, factorDueAt: dueAt },
}
const elsewhere = {
  ...workspace,
  _id: crypto.randomUUID(),
  isCurrent: false,
  factorDueAt: null,
  name: LONG,
}
export const requiredFactor = {
  'GET /workspace-settings/second-factor': {
    json: { graceDays: 7, requiredAt: dueAt, peopleWithout: 1204 },
  },
}
const without = (name: string, isHolder: boolean, email: string) => ({
  ...{ _id: crypto.randomUUID(), name, isHolder, email, since: dueAt, dueAt },
})
const peopleAnswer = {
  json: {
    items: [
      without('Ada Lovelace', false, 'ada@engines.example'),
      without('', true, `maximiliane-alexandrina@${'sigmaringen-'.repeat(4)}department.example`),
    ],
    nextCursor: 'n',
  },
}
const people = {
  'GET /workspace-settings/second-factor/people*': peopleAnswer,
  'GET /operator/second-factor/people*': peopleAnswer,
}
const nobody = {
  'GET /workspace-settings/second-factor/people*': { json: { items: [], nextCursor: null } },
}
const settings = (name: string, screen: Omit<Screen, 'who' | 'path' | 'name'>): Screen => ({
  ...{ name: `settings, second factor, ${name}`, who: 'member', path: '/dashboard/settings' },
  ...screen,
})

/** Of the whole installation. */
const ofAll = {
  'GET /operator/second-factor': requiredFactor['GET /workspace-settings/second-factor'],
}
const operator = (name: string, screen: Omit<Screen, 'who' | 'path' | 'name'>): Screen => ({
  ...{ name: `operator, second factor, ${name}`, who: 'operator', path: '/operator?tab=settings' },
  ...screen,
})

export const secondFactorScreens: Screen[] = [
  security({ name: 'security, nothing yet', state: 'empty', ready: 'No passkey yet' }),
  {
    ...security({ name: 'security, holder', state: 'empty', ready: 'No passkey yet' }),
    who: 'holder',
  },
  security({
    ...{ name: 'security, all of it', state: 'full', answers: withFactors },
    // The server has drawn this page without what is answered here, and the two below.
    steps: (page) => page.getByText('Samsung Internet on Android').waitFor(),
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
  security({
    ...{ name: 'security, required soon', state: 'full', ready: 'Without one you reach nothing' },
    steps: (page) => page.getByText('Without one you reach nothing').waitFor(),
    answers: { 'GET /workspaces': { json: [workspace] } },
  }),
  security({
    ...{ name: 'security, required now', state: 'empty', ready: 'Other workspaces' },
    answers: {
      'GET /workspaces': { json: [workspace, elsewhere] },
      'GET /second-factor': { json: none },
      'GET /account/leaving': { json: staying },
      'GET /preferences': refused('FACTOR_SET_UP_REQUIRED', {}),
    },
  }),
  security({
    ...{
      name: 'security, required and set up',
      state: 'full',
      ready: 'You have a second factor now',
    },
    steps: (page) => page.getByText('You have a second factor now').waitFor(),
    answers: {
      ...withFactors,
      'GET /workspaces': { json: [workspace] },
      'GET /account/leaving': { json: staying },
      'GET /preferences': refused('FACTOR_SET_UP_REQUIRED', {}),
    },
  }),
  settings('required', { state: 'full', answers: requiredFactor, ready: 'Change the days' }),
  settings('loading', {
    ...{ state: 'loading', holds: ['/workspace-settings/second-factor'] },
    ready: 'Loading whether a second factor is required',
  }),
  settings('failed', {
    ...{ state: 'failing', fails: ['/workspace-settings/second-factor'] },
    ready: 'Error loading whether a second factor is required',
  }),
  settings('require', {
    ...{ state: 'open', steps: click('Require a second factor') },
    ready: (page) => dialog(page).getByLabel('Days of grace'),
  }),
  settings('stop requiring', {
    ...{
      state: 'open',
      answers: requiredFactor,
      steps: click('Stop requiring it'),
      ready: question,
    },
  }),
  settings('without one', {
    ...{
      state: 'full',
      answers: { ...requiredFactor, ...people },
      steps: click('Without one: 1,204'),
    },
    ready: (page) => dialog(page).getByRole('button', { name: 'Show more' }),
  }),
  settings('everybody has one', {
    ...{
      state: 'empty',
      answers: { ...requiredFactor, ...nobody },
      steps: click('Without one: 1,204'),
    },
    ready: (page) => dialog(page).getByText('Everybody has one.'),
  }),
  settings('without one, failed', {
    ...{ state: 'failing', answers: requiredFactor, steps: click('Without one: 1,204') },
    ...{
      fails: ['/workspace-settings/second-factor/people*'],
      ready: 'Error loading who has none',
    },
  }),
  operator('not required', { state: 'empty', ready: 'is not required' }),
  operator('required', { state: 'full', answers: ofAll, ready: 'Stop requiring it' }),
  operator('loading', {
    ...{ state: 'loading', holds: ['/operator/second-factor'] },
    ready: 'Loading whether a second factor is required',
  }),
  operator('failed', {
    ...{ state: 'failing', fails: ['/operator/second-factor'] },
    ready: 'Error loading whether a second factor is required',
  }),
  operator('require', {
    ...{ state: 'open', steps: click('Require a second factor') },
    ready: (page) => dialog(page).getByLabel('Days of grace'),
  }),
  operator('require, wrong', {
    state: 'failing',
    steps: async (page) => {
      await button(page, 'Require a second factor').click()
      await dialog(page).getByLabel('Days of grace').fill('31')
      await dialog(page).getByRole('button', { name: 'Require it' }).click()
    },
    ready: 'Please enter a number from 0 to 30',
  }),
  operator('stop requiring', {
    ...{ state: 'open', answers: ofAll, steps: click('Stop requiring it'), ready: question },
  }),
  operator('without one', {
    ...{ state: 'full', answers: { ...ofAll, ...people }, steps: click('Without one: 1,204') },
    ready: (page) => dialog(page).getByRole('button', { name: 'Show more' }),
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
