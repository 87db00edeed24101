/** The title that the server gives a page before its script runs: what `usePageTitle` sets then. */
import { dashboardPages } from './dashboard-pages.ts'
import { dashboardPathOf, paths } from './paths.ts'

const titles: Record<string, string> = {
  [paths.login()]: 'Login',
  [paths.signUp()]: 'Sign up',
  [paths.forgotPassword()]: 'Forgot password',
  [paths.emailVerification()]: 'Email verification',
  [paths.verifyEmail()]: 'Verify email',
  [paths.createNewPassword()]: 'Create new password',
  [paths.invitation()]: 'Invitation',
  [paths.accessLink()]: 'Your mailbox',
  [paths.endSession()]: 'End a session',
  [paths.firstOperator()]: 'Operator account',
  [paths.googleLogin()]: 'Google login',
  [paths.dnsLink()]: 'DNS records',
  [paths.apiReference()]: 'API for developers',
  [paths.terms()]: 'Terms and conditions',
  [paths.privacy()]: 'Privacy',
  [paths.notFound()]: 'Not found',
}

/** null where it depends on who opens it. */
export const titleAt = (pathname: string): string | null => {
  const dashboardPath = dashboardPathOf(pathname)
  if (dashboardPath) return dashboardPages[dashboardPath].title
  return titles[pathname.replace(/\/+$/, '')] ?? null
}
