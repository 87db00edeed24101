/** What an Editor and a User see where an Admin sees everything. */
import type { Screen, Who } from './screen.ts'

const adminsOnly = 'Only an Admin can see this'

/** Each page, and what shows that it has come, for an Editor and for a User. */
const pages: readonly [
  name: string,
  path: Screen['path'],
  editor: Screen['ready'],
  user: Screen['ready'],
][] = [
  ['home', '/dashboard', 'Needs attention', 'Mail per day'],
  ['domains', '/dashboard/domains', 'branch-19.analytical', 'Only Admins and Editors'],
  [
    'domain page',
    ({ domains }) => `/dashboard/domains/${domains.active}`,
    'All records are right',
    'Only Admins and Editors',
  ],
  ['add domain', '/dashboard/add-domain', 'Enter domain', 'Only Admins and Editors'],
  ['mailboxes', '/dashboard/mailboxes', 'ada@analytical', 'ada@analytical'],
  ['new mailbox', '/dashboard/new-mail-box', 'Select a domain', 'Only Admins and Editors add'],
  [
    'mail',
    ({ mailboxId }) => `/dashboard/view-mail?mailbox=${mailboxId}`,
    'No mailbox to read yet',
    'The Tide Table No. 44',
  ],
  [
    'mail, first mailbox',
    '/dashboard/view-mail',
    'No mailbox to read yet',
    'The Tide Table No. 44',
  ],
  ['mailbox settings', '/dashboard/mail-box-settings', 'First name', 'First name'],
  ['settings', '/dashboard/settings', adminsOnly, adminsOnly],
  ['profile', '/dashboard/profile', 'Last name', 'Last name'],
  ['billing', '/dashboard/profile?tab=billing', adminsOnly, adminsOnly],
]

const seenBy = (who: Who, role: 'Editor' | 'User'): Screen[] =>
  pages.map(([name, path, editor, user]) => ({
    ...{ name: `${role}, ${name}`, who, path, state: 'full' },
    ready: role === 'Editor' ? editor : user,
  }))

export const roleScreens: Screen[] = [...seenBy('editor', 'Editor'), ...seenBy('user', 'User')]
