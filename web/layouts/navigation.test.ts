import { expect, test } from 'vitest'
import { paths } from '#web/paths.ts'
import { headerTitle, holdersNavigation, isActive, navigation } from './navigation.ts'

test('the home item is active at /dashboard alone, the others also below', () => {
  expect(isActive(paths.dashboard(), '/dashboard')).toBe(true)
  expect(isActive(paths.dashboard(), '/dashboard/domains')).toBe(false)
  expect(isActive(paths.dashboard(), '/dashboard/')).toBe(true)
  expect(isActive(paths.domains(), '/dashboard/domains')).toBe(true)
  expect(isActive(paths.domains(), '/dashboard/domains/one')).toBe(true)
  expect(isActive(paths.domains(), '/dashboard/domains-list')).toBe(false)
})

test('the menu has four entries, three below Mailboxes, and each knows the pages without one', () => {
  const titles = navigation.map(({ title, items }) => [title, ...items.map((item) => item.title)])
  expect(titles).toEqual([
    ['Dashboard'],
    ['Domains'],
    ['Mailboxes', 'Add new Mailbox', 'View Mailbox', 'Mailbox setting'],
    ['Settings'],
  ])
  expect(navigation.map(({ covers }) => covers)).toEqual([
    [],
    [paths.addDomain(), paths.addDomains(), paths.sandboxDns()],
    [paths.setUpMail(), paths.access()],
    [paths.developers(), paths.auditLog()],
  ])
})

test.each([
  ['/dashboard', 'Dashboard'],
  ['/dashboard/', 'Dashboard'],
  ['/dashboard/domains', 'Domains'],
  ['/dashboard/domains/one', 'Domain'],
  ['/dashboard/add-domain', 'Add Domain'],
  ['/dashboard/add-domain?id=', 'Add Domain'],
  ['/dashboard/add-domain?id=one', 'Domain'],
  ['/dashboard/mailboxes', 'Mailboxes'],
  ['/dashboard/new-mail-box', 'Mailboxes'],
  ['/dashboard/view-mail?mailbox=one', 'View Mail'],
  ['/dashboard/mailbox-access?mailbox=one', 'Access'],
  ['/dashboard/settings', 'Settings'],
  ['/dashboard/developers/keys/one', 'API key'],
  ['/login', 'Auth'],
  ['/create-new-password', 'Auth'],
])('the header of %s is %s', (path, title) => {
  const { pathname, search } = new URL(path, 'https://app.invalid')
  expect(headerTitle({ pathname, search })).toBe(title)
})

test('for a holder a page is called in the header as it is in the menu', () => {
  const places = [
    ...[paths.viewMail(), paths.mailboxSettings(), paths.setUpMail(), paths.developers()],
  ]
  const titles = places.map((pathname) => headerTitle({ pathname, isHolder: true }))
  expect(titles).toEqual(['Mail', 'Settings', 'Mail programs', 'API keys'])
  expect(holdersNavigation.map(({ title }) => title)).toEqual(titles)
})
