/** Places that the palette finds by what one does there, beside the pages that it lists. */
import type { Right } from '#contract/rights.ts'
import { paths } from '#web/paths.ts'

export type Place = {
  title: string
  /** Where it is. */
  note: string
  /** Other words for it, which are searched with the title. */
  words: string
  path: string
  right: Right
}

export const places: readonly Place[] = [
  {
    ...{ title: 'All workspaces', note: 'Workspaces', words: 'clients costs health overview' },
    ...{ path: paths.workspaces(), right: 'see-workspace' },
  },
  {
    ...{ title: 'Company profile', note: 'Settings', words: 'account address phone time zone' },
    ...{ path: paths.settings(), right: 'manage-company' },
  },
  {
    ...{ title: 'Users and invitations', note: 'Settings', words: 'members people invite roles' },
    ...{ path: paths.settings({ tab: 'users' }), right: 'manage-members' },
  },
  {
    ...{ title: 'Your name, email and password', note: 'Profile', words: 'account change picture' },
    ...{ path: paths.profile(), right: 'see-workspace' },
  },
  {
    ...{ title: 'Billing', note: 'Profile', words: 'invoices bills payments costs' },
    ...{ path: paths.profile({ tab: 'billing' }), right: 'manage-billing' },
  },
  {
    ...{ title: 'Add many domains', note: 'Domains', words: 'paste list import' },
    ...{ path: paths.addDomains(), right: 'manage-domains' },
  },
  {
    ...{ title: 'Access log', note: 'Mailboxes', words: 'readers links holders who reads' },
    ...{ path: paths.access(), right: 'see-mailboxes' },
  },
]
