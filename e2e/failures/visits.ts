/** What visitors send: the form with what is typed in it, and the words of the specification when it fails. */
import type { Page } from '@playwright/test'
import { tick } from '../browsers.ts'
import { withInstallation } from '../specification/auth-parts.ts'
import { answering } from '../specification/setting.ts'

export type Visit = {
  path: string
  open?: (page: Page) => Promise<unknown>
  /** By label. */
  typed: Record<string, string>
  button: string
  /** What the button reads meanwhile, where that is something else. */
  pending?: string
  call: [method: string, path: string]
  /** Of the toast that tells a failure. */
  title: string
}

const EMAIL = 'grace@elsewhere.example'
const SECRET = 'Engine-No-1!'

/** The thirty seconds after a mail was sent: the server draws 30, and the app counts down from there. */
const waitForResend = async (page: Page) => {
  await page.getByText(/Resend in 2\ds/).waitFor()
  await page.clock.runFor(31_000)
}

const resend = {
  ...{ typed: {}, button: 'Resend Email', title: 'Resend Failed' },
  call: ['POST', '/auth/resend-verify-email'],
} satisfies Partial<Visit>

export const visits: Record<string, Visit> = {
  login: {
    ...{ path: '/login', typed: { Email: EMAIL, Password: SECRET } },
    ...{ button: 'Login', pending: 'Logging in...', call: ['POST', '/auth/login'], title: 'Error' },
  },
  'sign-up': {
    path: '/sign-up',
    open: (page) => tick(page.getByRole('checkbox')),
    typed: {
      ...{ 'First name': 'Grace', 'Last name': 'Hopper', Email: EMAIL },
      ...{ Password: SECRET, 'Confirm Password': SECRET },
    },
    ...{ button: 'Sign Up', pending: 'Signing up...' },
    ...{ call: ['POST', '/auth/register'], title: '❌ Error' },
  },
  'forgot-password': {
    ...{ path: '/forgot-password', typed: { Email: EMAIL }, button: 'Send Email' },
    ...{ call: ['POST', '/auth/forgot-password'], title: '❌ Error' },
  },
  'create-new-password': {
    path: `/create-new-password?token=${'x'.repeat(43)}`,
    typed: { 'New Password': SECRET, 'Confirm Password': SECRET },
    button: 'Save New Password',
    ...{ call: ['POST', '/auth/set-new-password'], title: '❌ Error' },
  },
  'email-verification': {
    ...resend,
    ...{ path: `/email-verification?email=${EMAIL}`, open: waitForResend },
  },
  'verify-email, expired': {
    ...{ ...resend, path: '/login' },
    open: async (page) => {
      const json = { type: 'LINK_EXPIRED', message: 'Too late', email: EMAIL, isChange: false }
      await answering(page, 'POST', '/auth/verify-email', { json })
      await page.goto('/verify-email?token=x')
    },
  },
  'continue with Google': {
    path: '/login',
    open: async (page) => {
      await withInstallation(page, { google: true })
      await page.reload()
    },
    ...{ typed: { Email: EMAIL }, button: 'Continue with Google' },
    ...{ call: ['GET', '/oauth/google'], title: 'Error' },
  },
}
