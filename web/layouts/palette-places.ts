/** What the palette finds by what one does there, beside the pages that it lists: places, and acts that no page is needed for. */
import type { CallerRole, Right } from '#contract/rights.ts'
import { memberCan } from '#contract/rights.ts'
import { HOLDERS_PASSWORD, PREFERENCES, paths } from '#web/paths.ts'
import { logOut } from './log-out.ts'

export type Place = {
  title: string
  /** Where it is. */
  note: string
  /** Other words for it, which are searched with the title. */
  words: string
  right: Right
  /** Absent: for members and holders. */
  isFor?: 'members' | 'holders'
} & ({ path: string } | { act: () => void })

const ofMailbox = (section: string): string => `${paths.mailboxSettings()}#${section}`

const ofTheWorkspace: readonly Place[] = [
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

const PERSONS_OWN = 'dates times zone language format'

/** The parts of the settings of the mailbox that was opened last, and what is about the person. */
const ofThePerson: readonly Place[] = [
  {
    ...{ title: 'Signature', note: 'Mail settings', words: 'name display sender settings' },
    ...{ path: ofMailbox('identity'), right: 'open-mailboxes' },
  },
  {
    ...{ title: 'Vacation reply', note: 'Mail settings', words: 'away out of office autoreply' },
    ...{ path: ofMailbox('vacation'), right: 'open-mailboxes' },
  },
  {
    ...{
      title: 'Undo sending and plain text',
      note: 'Mail settings',
      words: 'writing delay take back',
    },
    ...{ path: ofMailbox('writing'), right: 'open-mailboxes' },
  },
  {
    ...{ title: 'Set up a mail program', note: 'Mail programs' },
    words: 'phone iphone android outlook thunderbird apple imap smtp server port app password',
    ...{ path: paths.setUpMail(), right: 'open-mailboxes' },
  },
  {
    ...{ title: 'Senders whose pictures are shown', note: 'Mail settings', words: 'images remote' },
    ...{ path: ofMailbox('pictures'), right: 'open-mailboxes' },
  },
  {
    ...{ title: 'Storage', note: 'Mail settings', words: 'space size quota full folders' },
    ...{ path: ofMailbox('storage'), right: 'open-mailboxes' },
  },
  {
    ...{ title: 'Export and import mail', note: 'Mail settings', words: 'mbox backup download' },
    ...{ path: ofMailbox('transfer'), right: 'open-mailboxes' },
  },
  {
    ...{ title: 'Sending limits', note: 'Mail settings', words: 'recipients a day stopped' },
    ...{ path: ofMailbox('sending'), right: 'open-mailboxes' },
  },
  {
    ...{ title: 'Change password', note: 'Account', words: 'security', isFor: 'holders' },
    ...{ path: ofMailbox(HOLDERS_PASSWORD), right: 'open-mailboxes' },
  },
  {
    ...{ title: 'Preferences', note: 'Account', words: PERSONS_OWN, isFor: 'holders' },
    ...{ path: ofMailbox(PREFERENCES), right: 'open-mailboxes' },
  },
  {
    ...{ title: 'Preferences', note: 'Profile', words: PERSONS_OWN, isFor: 'members' },
    ...{ path: `${paths.profile()}#${PREFERENCES}`, right: 'see-workspace' },
  },
  {
    ...{ title: 'Log out', note: 'Account', words: 'logout sign out leave' },
    ...{ act: () => void logOut(), right: 'open-mailboxes' },
  },
]

export const placesFor = (role: CallerRole): Place[] =>
  [...ofTheWorkspace, ...ofThePerson].filter(
    ({ right, isFor }) =>
      memberCan(role, right) && (!isFor || (isFor === 'holders') === (role === 'Holder')),
  )
