/** Every URL of the web app: the only place where one is written. The snapshot beside it shows them all. */

const withQuery = (path: string, query: Record<string, string | undefined>): string => {
  const given = Object.entries(query).filter((pair): pair is [string, string] => !!pair[1])
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}

export const paths = {
  root: () => '/',
  login: () => '/login',
  signUp: () => '/sign-up',
  forgotPassword: () => '/forgot-password',
  verifyEmail: () => '/verify-email',
  emailVerification: (query: { email?: string } = {}) => withQuery('/email-verification', query),
  createNewPassword: () => '/create-new-password',
  googleLogin: () => '/google-login',
  invitation: () => '/invitation',
  /** Sets the password of the holder of a mailbox. */
  accessLink: () => '/mailbox-access',
  /** With the token behind the #. */
  dnsLink: () => '/dns',
  terms: () => '/terms',
  notFound: () => '/404-page',
  dashboard: () => '/dashboard',
  domains: () => '/dashboard/domains',
  /** The domain's own page. */
  domain: (id = ':id') => `/dashboard/domains/${id}`,
  addDomain: (query: { id?: string } = {}) => withQuery('/dashboard/add-domain', query),
  /** Of the demo alone. */
  sandboxDns: (query: { id?: string } = {}) => withQuery('/dashboard/sandbox-dns', query),
  mailboxes: (query: { q?: string } = {}) => withQuery('/dashboard/mailboxes', query),
  newMailbox: (query: { domain?: string } = {}) => withQuery('/dashboard/new-mail-box', query),
  /** `only`: the search is in the folder alone. */
  viewMail: (
    query: { mailbox?: string; folder?: string; message?: string; q?: string; only?: string } = {},
  ) => withQuery('/dashboard/view-mail', query),
  mailboxSettings: (query: { mailbox?: string } = {}) =>
    withQuery('/dashboard/mail-box-settings', query),
  /** Who signs in to a mailbox and who reads it; without one, what was written down about all of them. */
  access: (query: { mailbox?: string } = {}) => withQuery('/dashboard/mailbox-access', query),
  settings: (query: { tab?: string } = {}) => withQuery('/dashboard/settings', query),
  profile: (query: { tab?: string } = {}) => withQuery('/dashboard/profile', query),
}

/** The pages on which no session is looked for at the start. */
const sessionlessPaths = [
  paths.forgotPassword(),
  paths.verifyEmail(),
  paths.createNewPassword(),
  paths.emailVerification(),
  paths.googleLogin(),
  paths.accessLink(),
  paths.dnsLink(),
]
export const looksForSession = (pathname: string): boolean =>
  !sessionlessPaths.includes(pathname.replace(/\/+$/, ''))

const dashboardPages = [
  paths.dashboard(),
  paths.domains(),
  paths.addDomain(),
  paths.sandboxDns(),
  paths.mailboxes(),
  paths.newMailbox(),
  paths.viewMail(),
  paths.mailboxSettings(),
  paths.access(),
  paths.settings(),
  paths.profile(),
]
/** Pages that a visitor is not let into; an unknown path below them is only a page that is not there. */
export const needsSession = (pathname: string): boolean =>
  dashboardPages.includes(pathname.replace(/\/+$/, '')) || isDomainPath(pathname)

export const isDomainPath = (pathname: string): boolean =>
  /^\/dashboard\/domains\/[^/]+\/?$/.test(pathname)

/** Behind the # of the mailbox's settings: its holder changes the password. */
export const HOLDERS_PASSWORD = 'password'

/** All that the holder of a mailbox sees. */
export const isHoldersPath = (pathname: string): boolean =>
  [paths.viewMail(), paths.mailboxSettings()].includes(pathname.replace(/\/+$/, ''))

export const isDashboardPath = (pathname: string): boolean =>
  pathname === paths.dashboard() || pathname.startsWith(`${paths.dashboard()}/`)

/**
 * The page to return to after login. Only pages of the dashboard and the invitation are taken, as a path: whatever
 * else stands in the navigation state or the storage could lead to a foreign site.
 */
export const returnPath = (from: unknown): string => {
  if (from === paths.invitation()) return from
  if (typeof from !== 'string' || !/^\/dashboard(?:[/?#]|$)/.test(from)) return paths.dashboard()
  const url = new URL(from, 'https://app.invalid')
  const isOurs = url.origin === 'https://app.invalid' && isDashboardPath(url.pathname)
  return isOurs ? url.pathname + url.search + url.hash : paths.dashboard()
}
