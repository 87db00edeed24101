import { expect, test } from 'vitest'
import { paths } from '#web/paths.ts'
import { headerTitle, isActive } from './navigation.ts'

test('the home item is active at /dashboard alone, the others also below', () => {
  expect(isActive(paths.dashboard(), '/dashboard')).toBe(true)
  expect(isActive(paths.dashboard(), '/dashboard/domains')).toBe(false)
  expect(isActive(paths.domains(), '/dashboard/domains')).toBe(true)
  expect(isActive(paths.domains(), '/dashboard/domains/one')).toBe(true)
  expect(isActive(paths.domains(), '/dashboard/domains-list')).toBe(false)
})

test('the header says where one is', () => {
  expect(headerTitle('/dashboard/')).toBe('Dashboard')
  expect(headerTitle('/dashboard/add-domain')).toBe('Add Domain')
  expect(headerTitle('/dashboard/view-mail')).toBe('View Mail')
  expect(headerTitle('/dashboard/new-mail-box')).toBe('Mailboxes')
})
