import { expect, test } from 'vitest'
import {
  isDashboardPath,
  isHoldersPath,
  looksForSession,
  needsSession,
  paths,
  returnPath,
} from './paths.ts'

test('every URL of the app', () => {
  const all = Object.fromEntries(Object.entries(paths).map(([name, build]) => [name, build()]))
  expect(all).toMatchInlineSnapshot(`
    {
      "access": "/dashboard/mailbox-access",
      "accessLink": "/mailbox-access",
      "addDomain": "/dashboard/add-domain",
      "addDomains": "/dashboard/add-domains",
      "apiKey": "/dashboard/developers/keys/:id",
      "apiReference": "/developers/api",
      "auditLog": "/dashboard/audit-log",
      "createNewPassword": "/create-new-password",
      "dashboard": "/dashboard",
      "developers": "/dashboard/developers",
      "dnsLink": "/dns",
      "dnsLinkToMany": "/dns/domains",
      "domain": "/dashboard/domains/:id",
      "domains": "/dashboard/domains",
      "emailVerification": "/email-verification",
      "endSession": "/end-session",
      "firstOperator": "/operator/first",
      "forgotPassword": "/forgot-password",
      "googleLogin": "/google-login",
      "invitation": "/invitation",
      "invoice": "/dashboard/invoices/:id",
      "login": "/login",
      "mailboxSettings": "/dashboard/mail-box-settings",
      "mailboxes": "/dashboard/mailboxes",
      "newMailbox": "/dashboard/new-mail-box",
      "notFound": "/404-page",
      "operatedInvoice": "/operator/invoices/:id",
      "operatedMailbox": "/operator/mailboxes/:id",
      "operatedPerson": "/operator/people/:id",
      "operatedWorkspace": "/operator/workspaces/:id",
      "operator": "/operator",
      "privacy": "/privacy",
      "profile": "/dashboard/profile",
      "root": "/",
      "sandboxDns": "/dashboard/sandbox-dns",
      "security": "/dashboard/security",
      "setUpMail": "/dashboard/set-up-mail",
      "settings": "/dashboard/settings",
      "signUp": "/sign-up",
      "terms": "/terms",
      "testMail": "/dashboard/domains/:id#test-mail",
      "verifyEmail": "/verify-email",
      "viewMail": "/dashboard/view-mail",
      "webhook": "/dashboard/developers/webhooks/:id",
      "workspaces": "/dashboard/workspaces",
    }
  `)
  expect(paths.emailVerification({ email: 'ada+1@example.com' })).toBe(
    '/email-verification?email=ada%2B1%40example.com',
  )
  expect(paths.addDomain({ id: 'a b' })).toBe('/dashboard/add-domain?id=a+b')
  expect(paths.domain('one')).toBe('/dashboard/domains/one')
})

test('a session is looked for everywhere but on the pages of mailed links and returns', () => {
  expect(
    ['/', '/login', '/sign-up', '/invitation', '/dashboard', '/nope'].every(looksForSession),
  ).toBe(true)
  expect(
    [
      ...['/forgot-password', '/verify-email/', '/create-new-password', '/google-login', '/dns'],
      ...['/mailbox-access', '/dns/domains'],
    ].some(looksForSession),
  ).toBe(false)
})

test('every page of the dashboard needs a session, and no other path', () => {
  const all = Object.values(paths).map((build) => build())
  expect(all.filter(needsSession)).toEqual(all.filter(isDashboardPath))
  expect(
    ['/dashboard/', '/dashboard/domains/one/', '/dashboard/invoices/one', '/login'].map(
      needsSession,
    ),
  ).toEqual([true, true, true, false])
  expect(['/dashboard/nowhere', '/dashboard/invoices/one/two'].map(needsSession)).toEqual([
    false,
    false,
  ])
})

test('the holder of a mailbox sees the mail, its settings, how to set a program up, their API keys and their own sessions, and no other page', () => {
  const all = Object.values(paths).map((build) => build())
  expect(all.filter(isHoldersPath)).toEqual([
    '/dashboard/view-mail',
    '/dashboard/mail-box-settings',
    '/dashboard/set-up-mail',
    '/dashboard/developers',
    '/dashboard/developers/keys/:id',
    '/dashboard/security',
  ])
  expect(['/dashboard/view-mail/', '/dashboard/view-mail/x'].map(isHoldersPath)).toEqual([
    true,
    false,
  ])
})

test('only pages of the dashboard are dashboard paths', () => {
  expect(isDashboardPath('/dashboard/domains')).toBe(true)
  expect(isDashboardPath('/dashboards')).toBe(false)
})

test.each([
  ['/dashboard/domains?q=a#b', '/dashboard/domains?q=a#b'],
  ['/dashboard', '/dashboard'],
  ['/invitation', '/invitation'],
  ['/invitation/..//evil.example', '/dashboard'],
  ['/login', '/dashboard'],
  ['//evil.example/dashboard', '/dashboard'],
  ['https://evil.example/dashboard', '/dashboard'],
  ['/dashboard/../../evil', '/dashboard'],
  ['/dashboard/..//evil.example', '/dashboard'],
  ['/dashboard\\@evil.example', '/dashboard'],
  ['javascript:alert(1)', '/dashboard'],
  [undefined, '/dashboard'],
  [{ pathname: '/dashboard/domains' }, '/dashboard'],
])('returning to %j leads to %s', (from, to) => {
  expect(returnPath(from)).toBe(to)
})
