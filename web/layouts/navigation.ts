/** What the sidebar and the command palette offer, and the title of the header for each path. */
import { Globe, House, Inbox, type LucideIcon, Mail, Settings } from 'lucide-react'
import { isDashboardPath, isDomainPath, paths } from '#web/paths.ts'

export type NavigationItem = {
  title: string
  path: string
  icon: LucideIcon
  /** Pages that belong to it without an entry of their own. */
  covers?: readonly string[]
  items?: readonly { title: string; path: string }[]
}

export const navigation: readonly NavigationItem[] = [
  { title: 'Dashboard', path: paths.dashboard(), icon: House },
  {
    title: 'Domains',
    path: paths.domains(),
    icon: Globe,
    covers: [paths.addDomain(), paths.sandboxDns()],
  },
  {
    title: 'Mailboxes',
    path: paths.mailboxes(),
    icon: Inbox,
    covers: [paths.access()],
    items: [
      { title: 'Add new Mailbox', path: paths.newMailbox() },
      { title: 'View Mailbox', path: paths.viewMail() },
      { title: 'Mailbox setting', path: paths.mailboxSettings() },
    ],
  },
  { title: 'Settings', path: paths.settings(), icon: Settings },
]

/** Of the holder of a mailbox. */
export const holdersNavigation: readonly NavigationItem[] = [
  { title: 'View Mailbox', path: paths.viewMail(), icon: Mail },
  { title: 'Mailbox setting', path: paths.mailboxSettings(), icon: Settings },
]

/** The home item is active on its own page only; every other one also below its path. */
export const isActive = (itemPath: string, pathname: string): boolean =>
  bare(pathname) === itemPath ||
  (itemPath !== paths.dashboard() && pathname.startsWith(`${itemPath}/`))

const bare = (pathname: string): string => pathname.replace(/\/+$/, '')

const headerTitles: Record<string, string> = {
  [paths.dashboard()]: 'Dashboard',
  [paths.domains()]: 'Domains',
  [paths.addDomain()]: 'Add Domain',
  [paths.sandboxDns()]: 'Sandbox DNS',
  [paths.mailboxes()]: 'Mailboxes',
  [paths.newMailbox()]: 'Mailboxes',
  [paths.viewMail()]: 'View Mail',
  [paths.mailboxSettings()]: 'Mailbox settings',
  [paths.access()]: 'Access',
  [paths.settings()]: 'Settings',
  [paths.profile()]: 'Profile',
}

/** `search` is the query of the URL: with an id the wizard is about a domain that exists. Outside of the dashboard people sign in. */
export const headerTitle = (pathname: string, search = ''): string => {
  if (!isDashboardPath(pathname)) return 'Auth'
  const path = bare(pathname)
  if (isDomainPath(path)) return 'Domain'
  if (path === paths.addDomain() && new URLSearchParams(search).get('id')) return 'Domain'
  return headerTitles[path] ?? 'Dashboard'
}
