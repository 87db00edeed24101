/** Scopes over every route of the contract. */
import { expect, test } from 'vitest'
import { reachOf } from '#contract/developers/key-reach.ts'
import {
  exceptionNames,
  isAllowedBy,
  KEY_SCOPES,
  keyUse,
  topicsFor,
} from '#contract/developers/scopes.ts'
import { foundInvitation } from '#contract/mail/event-invitation.ts'
import { messageSummary } from '#contract/messages.ts'
import { declaredRoutes, nameOf } from './declared-routes.ts'

const routes = await declaredRoutes()

test('every route says what a key needs for it, or why none may call it', () => {
  for (const route of routes) {
    const use = keyUse(route)
    if (use === 'open') expect(route.access, nameOf(route)).toBe('anyone')
    else if ('never' in use) expect(use.never.length, nameOf(route)).toBeGreaterThan(10)
    else expect(KEY_SCOPES, nameOf(route)).toEqual(expect.arrayContaining([...use.scopes]))
  }
})

test('every scope opens a route that no other scope opens', () => {
  for (const scope of KEY_SCOPES) {
    const others = KEY_SCOPES.filter((each) => each !== scope)
    const own = routes.filter(
      (route) => isAllowedBy(keyUse(route), KEY_SCOPES) && !isAllowedBy(keyUse(route), others),
    )
    expect(own, scope).not.toEqual([])
  }
})

test('a route that says nothing is found out', () => {
  const planted = { name: 'planted', method: 'POST', access: 'see-domains', changes: [] } as const
  expect(() => keyUse(planted)).toThrow('no scope is known for planted')
  expect(keyUse({ ...planted, changes: ['domains'] })).toEqual({ scopes: ['domains:write'] })
})

test('no key makes what would outlive it, signs in, operates, lowers a sign-in, or acts for the account', () => {
  const never = (pattern: RegExp) =>
    routes
      .filter(({ path, access }) => pattern.test(path) && access !== 'anyone')
      .filter((route) => {
        const use = keyUse(route)
        return use === 'open' || !('never' in use)
      })
      .map(nameOf)
  expect(
    never(/^\/(?:auth|api-keys|operator|profile|preferences|workspaces|workspace-exports|views)/),
  ).toEqual([])
  expect(never(/app-passwords|second-factor|\/move$/)).toEqual([])
})

test('a write that answers with a stored message needs the right to read it', () => {
  const shown: unknown[] = [messageSummary, foundInvitation]
  const writes = routes
    .filter(({ method, output }) => method !== 'GET' && shown.includes(output))
    // It answers with what was sent.
    .filter(({ name }) => name !== 'sendMessage')
  expect(writes.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['changeMessage', 'answerInvitation']),
  )
  const others = KEY_SCOPES.filter((scope) => scope !== 'messages:read')
  for (const route of writes) expect(isAllowedBy(keyUse(route), others), nameOf(route)).toBe(false)
})

test('exceptions are of routes that there are', () => {
  const names = new Set(routes.map(({ name }) => name))
  expect(exceptionNames.filter((name) => !names.has(name))).toEqual([])
})

test('a narrowed key is refused by default: a new route that names more is not known to narrow', () => {
  const planted = { name: 'planted', path: '/mailboxes/all', body: undefined }
  expect(reachOf(planted)).toBeNull()
  expect(reachOf({ ...planted, path: '/mailboxes/{id}/planted' })).toBe('mailbox')
  expect(reachOf({ ...planted, path: '/domains/{id}/planted', takesBytes: true })).toBeNull()
  const narrowing = routes.filter((route) => reachOf(route) !== null)
  expect(narrowing.length).toBeGreaterThan(60)
  for (const { path } of narrowing)
    expect(path).not.toMatch(/^\/(?:members|invoices|payments|company|operator)/)
})

test('a key hears of what it reads', () => {
  expect(topicsFor(['domains:read', 'mail:send'])).toEqual(new Set(['domains']))
  expect(topicsFor(['messages:read'])).toEqual(new Set(['messages']))
  expect(topicsFor(['domains:write'])).toEqual(new Set())
})
