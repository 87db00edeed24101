import type { Page } from '@playwright/test'
import { sentenceOf } from '#contract/errors.ts'
import { tick } from '../browsers.ts'
import { failing } from '../specification/setting.ts'
import { button, click, dialog, type Screen, toast } from './screen.ts'

const LONG_EMAIL = `maximiliane-alexandrina.von-hohenzollern@${'sigmaringen-'.repeat(4)}department.example`

const visitor = (screen: Omit<Screen, 'who'>): Screen => ({ ...screen, who: 'visitor' })

const answerVerification = (type: string) => async (page: Page) => {
  const email = LONG_EMAIL
  await page.route(
    '**/api/v1/auth/verify-email',
    (route) =>
      route.fulfill({
        json: { type, message: 'The link was for one day', email, isChange: false },
      }),
    { times: 1 },
  )
  await page.goto('/verify-email?token=y')
}

const signUp = async (page: Page) => {
  const json = { message: 'ok', email: LONG_EMAIL }
  await page.route('**/api/v1/auth/register', (route) => route.fulfill({ status: 201, json }), {
    times: 1,
  })
  await page.getByLabel('First name').fill('Maximiliane-Alexandrina')
  await page.getByLabel('Last name').fill('von Hohenzollern-Sigmaringen')
  await page.getByLabel('Email').fill(LONG_EMAIL)
  await page.getByLabel('Password', { exact: true }).fill('Engine-No-1!')
  await page.getByLabel('Confirm Password').fill('Engine-No-1!')
  await tick(page.getByRole('checkbox'))
  await button(page, 'Sign Up').click()
}

const logIn = async (page: Page) => {
  await page.getByLabel('Email').fill(LONG_EMAIL)
  await page.getByLabel('Password', { exact: true }).fill('Engine-No-1!')
  await button(page, 'Login').click()
}

export const visitorScreens: Screen[] = [
  visitor({ name: 'login', state: 'full', path: '/login', ready: 'Welcome Back' }),
  visitor({
    ...{ name: 'login, nothing entered', state: 'failing', path: '/login' },
    steps: click('Login'),
    ready: 'Please enter your password',
  }),
  visitor({
    ...{ name: 'login, refused', state: 'open', path: '/login' },
    steps: async (page) => {
      await failing(page, 'POST', '/auth/login', { statusCode: 500 })
      await logIn(page)
    },
    ready: toast,
  }),
  visitor({
    ...{ name: 'login, pending', state: 'loading', path: '/login', holds: ['/auth/login'] },
    steps: logIn,
    ready: 'Logging in...',
  }),
  visitor({
    ...{ name: 'login, not verified', state: 'open', path: '/login' },
    steps: async (page) => {
      const type = 'NOT_VERIFIED' as const
      const refusal = { statusCode: 403, type, message: sentenceOf(type) }
      await failing(page, 'POST', '/auth/login', refusal)
      await logIn(page)
    },
    ready: dialog,
  }),
  visitor({ name: 'sign-up', state: 'full', path: '/sign-up', ready: 'Create an account' }),
  visitor({
    ...{ name: 'sign-up, nothing entered', state: 'failing', path: '/sign-up' },
    steps: click('Sign Up'),
    ready: 'You must accept the terms and conditions',
  }),
  visitor({
    ...{ name: 'sign-up, verification modal', state: 'open', path: '/sign-up' },
    steps: signUp,
    ready: dialog,
  }),
  visitor({
    ...{ name: 'forgot-password', state: 'full', path: '/forgot-password' },
    ready: 'Forgot Password?',
  }),
  visitor({
    ...{ name: 'forgot-password, wrong', state: 'failing', path: '/forgot-password' },
    steps: async (page) => {
      await page.getByLabel('Email').fill('ada')
      await button(page, 'Send Email').click()
    },
    ready: 'Invalid email address',
  }),
  visitor({
    ...{ name: 'email-verification', state: 'full' },
    path: `/email-verification?email=${LONG_EMAIL}`,
    ready: 'Resend in',
  }),
  visitor({
    ...{ name: 'verify-email, pending', state: 'loading', path: '/verify-email?token=x' },
    holds: ['/auth/verify-email'],
    ready: 'Verifying your email...',
  }),
  visitor({
    ...{ name: 'verify-email, expired', state: 'failing', path: '/login' },
    steps: answerVerification('LINK_EXPIRED'),
    ready: 'Verification link has expired',
  }),
  visitor({
    ...{ name: 'create-new-password', state: 'full', path: '/create-new-password?token=x' },
    ready: 'Save New Password',
  }),
  visitor({
    ...{ name: 'create-new-password, wrong', state: 'failing' },
    path: '/create-new-password?token=x',
    steps: async (page) => {
      await page.getByLabel('New Password').fill('Engine-No-1!')
      await page.getByLabel('Confirm Password').fill('Engine')
      await button(page, 'Save New Password').click()
    },
    ready: 'Passwords do not match',
  }),
  visitor({
    ...{ name: 'google-login, error', state: 'failing', path: '/google-login?error=access_denied' },
    ready: 'Sign-in did not complete',
  }),
  visitor({
    ...{ name: 'API for developers', state: 'full', path: '/developers/api' },
    ready: 'Signing in',
  }),
  visitor({
    ...{ name: 'API, an operation', state: 'full', path: '/developers/api#addDomain' },
    ready: 'DOMAIN_EXISTS',
  }),
  visitor({
    ...{ name: 'API, a webhook event', state: 'full', path: '/developers/api#onMailBounced' },
    ready: 'Check the signature',
  }),
  {
    ...{ name: 'API, tried', who: 'member', state: 'open', path: '/developers/api#listDomains' },
    steps: click('Send request'),
    ready: 'Status 200',
  },
  {
    ...{ name: 'API, tried without a key', who: 'member', state: 'failing' },
    path: '/developers/api#addDomain',
    steps: click('Send request'),
    ready: 'Enter a key',
  },
  visitor({
    ...{ name: 'API, not loaded', state: 'failing', path: '/developers/api' },
    fails: ['/openapi.json'],
    ready: 'The API could not be shown',
  }),
  visitor({
    ...{ name: 'API, loading', state: 'loading', path: '/developers/api' },
    holds: ['/openapi.json'],
    ready: 'API for developers',
  }),
  visitor({ name: 'terms', state: 'full', path: '/terms', ready: 'What may not be sent' }),
  visitor({ name: 'privacy', state: 'full', path: '/privacy', ready: 'Who can read your mail' }),
  visitor({
    ...{ name: '404-page', state: 'full', path: '/404-page' },
    ready: 'Whoops!',
  }),
  visitor({
    ...{ name: 'unknown path', state: 'full', path: '/some/where/else' },
    ready: 'Whoops!',
  }),
]
