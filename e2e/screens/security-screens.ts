import type { Page } from '@playwright/test'
import type { Session, SignedInProgram } from '#contract/account/sessions.ts'
import type { AuditEntry } from '#contract/workspace/audit-log.ts'
import { button, click, listbox, question, type Screen } from './screen.ts'

const at =
  (path: string) =>
  (screen: Omit<Screen, 'who' | 'path'>): Screen => ({ ...screen, who: 'member', path })
const security = at('/dashboard/security')
const auditLog = at('/dashboard/audit-log')
const settings = at('/dashboard/settings')
const endSession = (screen: Omit<Screen, 'who' | 'path'>): Screen => ({
  ...{ ...screen, who: 'visitor', path: '/end-session?token=x' },
})

const when = '2027-01-02T12:00:00.000Z'
const LONG = `maximiliane-alexandrina.von-hohenzollern@${'sigmaringen-'.repeat(4)}department.example`

const session = (given: Partial<Session>): Session => ({
  ...{ _id: crypto.randomUUID(), browser: 'Chrome on Windows', ip: '2001:db8:4:17::a1b2:c3d4' },
  ...{ createdAt: when, lastUsedAt: when, isThis: false, ...given },
})
const sessions = [
  session({ browser: 'Firefox on Linux', ip: '192.0.2.17', isThis: true }),
  session({}),
  session({ browser: 'A program on an iPhone or iPad' }),
]

const program: SignedInProgram = {
  ...{ mailbox: LONG, mailboxId: crypto.randomUUID(), name: 'The telephone in the hall' },
  ...{ program: 'Thunderbird 153.0 on Linux', ip: '2001:db8:4:17::a1b2:c3d4', scope: 'imap' },
  lastAt: when,
}

export const otherSessions = {
  'GET /sessions': { json: sessions },
  'GET /sessions/programs': { json: [program, { ...program, name: null, scope: 'smtp' }] },
}

const staying = { endsAt: null, lastAdminOf: [], isLastOperator: false }

const leaving = (name: string, json: object, more: Partial<Screen>): Screen =>
  security({
    ...{ name: `security, ${name}`, state: 'full', ready: 'Delete your account' },
    answers: { ...otherSessions, 'GET /account/leaving': { json: { ...staying, ...json } } },
    ...more,
  })

const entry = (given: Partial<AuditEntry>): AuditEntry => ({
  ...{ _id: crypto.randomUUID(), at: when, name: 'Ada Lovelace', email: 'ada@engines.example' },
  ...{ by: 'Firefox on Linux', ip: '2001:db8:4:17::a1b2:c3d4', topic: 'members' },
  ...{ action: 'changeRole', what: 'Change the role of a member', object: LONG },
  ...{ objectAfter: null, details: { role: 'User → Editor' }, isDone: true, ...given },
})

const entries = [
  entry({}),
  entry({
    ...{ topic: 'settings', what: 'Rename a workspace', object: 'Engines', details: {} },
    objectAfter: 'Analytical Engines of London, Paris and Turin',
  }),
  entry({
    ...{ name: '', email: '', by: 'The system', ip: '', topic: 'domains', details: {} },
    ...{ what: 'Found a required record missing or wrong', object: 'engines.example' },
  }),
  entry({ what: 'Delete many mailboxes with their mail', isDone: false }),
  entry({
    ...{ name: '', email: '', by: 'The operator', ip: '', topic: 'settings', object: 'Engines' },
    ...{ what: 'Suspend sending from the workspace', details: { detail: 'Too many complaints' } },
  }),
]

const logged = (items: AuditEntry[], total = items.length) => ({
  'GET /audit-log*': {
    json: { items, total, nextCursor: total > 50 ? 'n' : null, previousCursor: null },
  },
})

const scrollTo = (heading: string) => (page: Page) =>
  page
    .getByRole('heading', { name: heading, exact: true })
    .evaluate((found) => found.scrollIntoView({ block: 'start' }))

const scrollToSessions = scrollTo('Sessions')
const scrollToPrograms = scrollTo('Mail programs')

const scrollToLeaving = (page: Page) =>
  page.getByRole('heading', { name: 'Delete your account' }).scrollIntoViewIfNeeded()

export const securityScreens: Screen[] = [
  security({
    ...{
      name: 'security',
      state: 'full',
      answers: otherSessions,
      ready: 'The telephone in the hall',
    },
    steps: scrollToSessions,
  }),
  security({
    name: 'security, one session',
    state: 'empty',
    ready: 'No mail program has signed in',
    steps: scrollToSessions,
  }),
  security({
    ...{ name: 'security, loading', state: 'loading', holds: ['/sessions', '/sessions/programs'] },
    ready: 'Sessions',
    steps: scrollToSessions,
  }),
  security({
    ...{ name: 'security, failed', state: 'failing', ready: 'Error loading your sessions' },
    fails: ['/sessions', '/sessions/programs', '/account/leaving'],
    steps: scrollToSessions,
  }),
  security({
    ...{ name: 'security, end others', state: 'open', answers: otherSessions, ready: question },
    steps: click('End all others'),
  }),
  security({
    ...{ name: 'security, export', state: 'open', steps: click('Export your data') },
    ready: (page) => question(page).getByLabel('Your password'),
  }),
  leaving(
    'last Admin',
    { lastAdminOf: [{ _id: crypto.randomUUID(), name: LONG }] },
    {
      ...{ ready: 'Switch to it', steps: scrollToLeaving },
    },
  ),
  leaving(
    'last operator',
    { isLastOperator: true },
    {
      ...{ ready: (page) => page.getByText(/last operator/), steps: scrollToLeaving },
    },
  ),
  leaving(
    'leave',
    {},
    {
      ...{ state: 'open', ready: question },
      steps: (page) => button(page, 'Delete account').click(),
    },
  ),
  leaving('leaving', { endsAt: when }, { ready: 'Keep my account', steps: scrollToLeaving }),
  {
    ...{ name: 'security of a holder', who: 'holder', state: 'full' },
    path: '/dashboard/security',
    ready: 'Your data',
  },
  endSession({
    ...{ name: 'end session', state: 'full', ready: 'End this session?' },
    answers: {
      'POST /auth/open-ending-link': {
        json: {
          type: 'OPEN',
          email: LONG,
          browser: 'Chrome on Windows',
          ip: '192.0.2.17',
          createdAt: when,
        },
      },
    },
  }),
  endSession({
    ...{ name: 'end session, ended', state: 'empty', ready: 'This session has ended' },
    answers: { 'POST /auth/open-ending-link': { json: { type: 'ENDED' } } },
  }),
  endSession({ name: 'end session, broken', state: 'failing', ready: 'This link is not valid' }),
  endSession({
    ...{ name: 'end session, loading', state: 'loading', holds: ['/auth/open-ending-link'] },
    ready: 'Looking for the session...',
  }),
  endSession({
    ...{ name: 'end session, failed', state: 'failing', fails: ['POST /auth/open-ending-link'] },
    ready: 'Error loading the session',
  }),
  auditLog({
    name: 'audit log',
    state: 'full',
    answers: logged(entries, 10_000),
    ready: 'Changes: 10,000',
  }),
  auditLog({
    ...{ name: 'audit log, more than is counted', state: 'full' },
    answers: logged(entries, 10_001),
    ready: 'Changes: more than 10,000',
  }),
  auditLog({
    name: 'audit log, nothing',
    state: 'empty',
    answers: logged([]),
    ready: 'Nothing was changed yet',
  }),
  {
    ...{ name: 'audit log, filtered', who: 'member', state: 'empty', answers: logged([]) },
    path: '/dashboard/audit-log?topic=money&who=The+system&from=2026-11-01',
    ready: 'Nothing was changed like this',
  },
  auditLog({
    ...{ name: 'audit log, people', state: 'open', answers: logged(entries), ready: listbox },
    steps: async (page) => {
      await page.getByText('Rename a workspace').waitFor()
      await page.getByRole('combobox', { name: 'Who' }).click()
    },
  }),
  auditLog({
    ...{ name: 'audit log, loading', state: 'loading', holds: ['/audit-log*'] },
    ready: 'Audit log',
  }),
  auditLog({
    ...{ name: 'audit log, failed', state: 'failing', fails: ['/audit-log*'] },
    ready: 'Error loading the audit log',
  }),
  auditLog({
    ...{ name: 'audit log, topics', state: 'open', answers: logged(entries), ready: listbox },
    steps: async (page) => {
      await page.getByText('Rename a workspace').waitFor()
      await page.getByRole('combobox', { name: 'Topic' }).click()
    },
  }),
  {
    ...{ name: 'audit log of an Editor', who: 'editor', state: 'empty' },
    ...{ path: '/dashboard/audit-log', ready: 'Only an Admin can see this' },
  },
  settings({
    ...{ name: 'settings, app passwords', state: 'full', steps: scrollToPrograms },
    answers: { 'GET /workspace-settings/mail-programs': { json: { needsAppPasswords: true } } },
    ready: 'Allow own passwords',
  }),
  settings({
    ...{ name: 'settings, app passwords, failed', state: 'failing', steps: scrollToPrograms },
    fails: ['/workspace-settings/mail-programs'],
    ready: 'Error loading what mail programs need',
  }),
  settings({
    ...{ name: 'settings, require app passwords', state: 'open', ready: question },
    steps: click('Require app passwords'),
  }),
]
