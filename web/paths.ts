/** Every URL of the web app, and the only place with URLs. The snapshot beside it shows them all. */

const withQuery = (path: string, query: Record<string, string | undefined>): string => {
  const given = Object.entries(query).filter((pair): pair is [string, string] => !!pair[1])
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}

/** The pages of the dashboard in the order of the menu; `dashboard-pages.ts` declares each. */
export const dashboardPaths = {
  dashboard: () => '/dashboard',
  /** `state`: a filter of the list. */
  domains: (query: { state?: 'work' } = {}) => withQuery('/dashboard/domains', query),
  /** The page of a domain. */
  domain: (id = ':id') => `/dashboard/domains/${id}`,
  addDomain: (query: { id?: string } = {}) => withQuery('/dashboard/add-domain', query),
  /** Many at once, from a pasted list. */
  addDomains: () => '/dashboard/add-domains',
  /** Only in the demo. */
  sandboxDns: (query: { id?: string } = {}) => withQuery('/dashboard/sandbox-dns', query),
  mailboxes: (query: { q?: string; access?: string } = {}) =>
    withQuery('/dashboard/mailboxes', query),
  /** `from`: for many people, from a table of them. */
  newMailbox: (query: { domain?: string; from?: 'list' } = {}) =>
    withQuery('/dashboard/new-mail-box', query),
  /** `only`: the search is limited to the folder. */
  viewMail: (
    query: { mailbox?: string; folder?: string; message?: string; q?: string; only?: string } = {},
  ) => withQuery('/dashboard/view-mail', query),
  mailboxSettings: (query: { mailbox?: string } = {}) =>
    withQuery('/dashboard/mail-box-settings', query),
  /** How to set up a mail program for a mailbox. */
  setUpMail: (query: { mailbox?: string; program?: string } = {}) =>
    withQuery('/dashboard/set-up-mail', query),
  /** Access to a mailbox: who signs in and who reads it. Without a mailbox: the access log of all. */
  access: (query: { mailbox?: string } = {}) => withQuery('/dashboard/mailbox-access', query),
  /** All workspaces of the user. */
  workspaces: (query: { q?: string } = {}) => withQuery('/dashboard/workspaces', query),
  settings: (query: { tab?: string } = {}) => withQuery('/dashboard/settings', query),
  profile: (query: { tab?: string } = {}) => withQuery('/dashboard/profile', query),
  /** API keys and webhooks. */
  developers: (query: { tab?: string } = {}) => withQuery('/dashboard/developers', query),
  /** The page of one API key. */
  apiKey: (id = ':id') => `/dashboard/developers/keys/${id}`,
  webhook: (id = ':id') => `/dashboard/developers/webhooks/${id}`,
  /** How the person signs in, and where they are signed in. */
  security: () => '/dashboard/security',
  /** What was changed in the workspace. */
  auditLog: () => '/dashboard/audit-log',
  /** The document of an invoice or a credit note. */
  invoice: (id = ':id') => `/dashboard/invoices/${id}`,
  /** What operators of the installation see and do. */
  operator: (query: { tab?: string; step?: 'first' } = {}) => withQuery('/operator', query),
  operatedWorkspace: (id = ':id') => `/operator/workspaces/${id}`,
  operatedPerson: (id = ':id') => `/operator/people/${id}`,
  /** By its id or its address. */
  operatedMailbox: (id = ':id') => `/operator/mailboxes/${id}`,
  operatedInvoice: (id = ':id') => `/operator/invoices/${id}`,
}

export type DashboardPath = keyof typeof dashboardPaths
export const dashboardPathNames = Object.keys(dashboardPaths) as DashboardPath[]

/** Fragment (#) of the page of a domain. */
export const TEST_MAIL = 'test-mail'

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
  /** Where the holder of a mailbox sets a password. */
  accessLink: () => '/mailbox-access',
  /** The link of a mail: ends a session without signing in. */
  endSession: () => '/end-session',
  /** The link of the terminal: the account of the first operator. */
  firstOperator: () => '/operator/first',
  /** With the token in the fragment (#). */
  dnsLink: () => '/dns',
  /** The test mail on the page of a domain. */
  testMail: (id = ':id') => `${dashboardPaths.domain(id)}#${TEST_MAIL}`,
  /** The same for a link to several domains. */
  dnsLinkToMany: () => '/dns/domains',
  /** The API for developers; `operation` is its name. */
  apiReference: (operation?: string) => `/developers/api${operation ? `#${operation}` : ''}`,
  terms: () => '/terms',
  privacy: () => '/privacy',
  notFound: () => '/404-page',
  ...dashboardPaths,
}

/** Pages that do not restore the session when they open. */
const sessionlessPaths = [
  paths.forgotPassword(),
  paths.verifyEmail(),
  paths.createNewPassword(),
  paths.emailVerification(),
  paths.googleLogin(),
  paths.accessLink(),
  paths.endSession(),
  paths.dnsLink(),
  paths.dnsLinkToMany(),
]
export const looksForSession = (pathname: string): boolean =>
  !sessionlessPaths.includes(pathname.replace(/\/+$/, ''))

/** Pages that redirect visitors to login; any other unknown path shows the not-found page. */
export const needsSession = (pathname: string): boolean => dashboardPathOf(pathname) !== undefined

/** The page of the dashboard at this path. */
export const dashboardPathOf = (pathname: string): DashboardPath | undefined => {
  const bare = pathname.replace(/\/+$/, '')
  return dashboardPathNames.find((name) => isPathOf(name, bare))
}

/** The last part of a path with an id may be anything. */
const isPathOf = (name: DashboardPath, bare: string): boolean => {
  const path = dashboardPaths[name]()
  if (!path.endsWith('/:id')) return path === bare
  const begin = path.slice(0, -3)
  return bare.startsWith(begin) && /^[^/]+$/.test(bare.slice(begin.length))
}

/** Fragment (#) of the mailbox settings that opens the password dialog of its holder. */
export const HOLDERS_PASSWORD = 'password'

/** Fragment of the profile and of the mailbox settings: what the person prefers. */
export const PREFERENCES = 'preferences'

/** The only pages of a holder. */
export const isHoldersPath = (pathname: string): boolean => {
  const bare = pathname.replace(/\/+$/, '')
  return holdersPaths.some((name) => isPathOf(name, bare))
}

const holdersPaths: readonly DashboardPath[] = [
  ...(['viewMail', 'mailboxSettings', 'setUpMail', 'security', 'developers', 'apiKey'] as const),
]

export const isDashboardPath = (pathname: string): boolean =>
  isBelow(paths.dashboard(), pathname) ||
  (isBelow(paths.operator(), pathname) && pathname !== paths.firstOperator())

const isBelow = (path: string, pathname: string): boolean =>
  pathname === path || pathname.startsWith(`${path}/`)

/**
 * The page to return to after login. Accepts only paths of the dashboard and the invitation: another value in the history state
 * or the storage could lead to a foreign site.
 */
export const returnPath = (from: unknown): string => {
  if (from === paths.invitation()) return from
  if (typeof from !== 'string' || !/^\/(?:dashboard|operator)(?:[/?#]|$)/.test(from))
    return paths.dashboard()
  const url = new URL(from, 'https://app.invalid')
  const isOurs = url.origin === 'https://app.invalid' && isDashboardPath(url.pathname)
  return isOurs ? url.pathname + url.search + url.hash : paths.dashboard()
}
