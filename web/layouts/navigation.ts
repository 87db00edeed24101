/** The entries of the sidebar and the command palette, and the title of the header for each path. */
import { KeyRound, type LucideIcon, Mail, ServerCog, Settings, Smartphone } from 'lucide-react'
import { dashboardPages } from '#web/dashboard-pages.ts'
import {
  type DashboardPath,
  dashboardPathNames,
  dashboardPathOf,
  dashboardPaths,
  isDashboardPath,
  paths,
} from '#web/paths.ts'

export type NavigationItem = {
  title: string
  path: string
  icon: LucideIcon
  /** Pages that belong to this entry without one of their own. */
  covers: readonly string[]
  items: readonly { title: string; path: string }[]
}

const placesBelow = (name: DashboardPath) =>
  dashboardPathNames.flatMap((each) => {
    const { menu } = dashboardPages[each]
    if (!menu || !('below' in menu) || menu.below !== name) return []
    return [{ title: menu.title, path: dashboardPaths[each]() }]
  })

export const navigation: readonly NavigationItem[] = dashboardPathNames.flatMap((name) => {
  const { title, menu } = dashboardPages[name]
  if (!menu || !('icon' in menu)) return []
  const below = placesBelow(name)
  const items = below.flatMap(({ title, path }) => (title === undefined ? [] : [{ title, path }]))
  const covers = below.flatMap(({ title, path }) => (title === undefined ? [path] : []))
  return [{ title, path: dashboardPaths[name](), icon: menu.icon, covers, items }]
})

/** Below those of a member who operates the installation. */
export const operatorsNavigation: readonly NavigationItem[] = [
  { title: 'Operator', path: paths.operator(), icon: ServerCog, covers: [], items: [] },
]

/** The entries for the holder of a mailbox, who has one mailbox and no workspace: one name for each of the pages. */
export const holdersNavigation: readonly NavigationItem[] = [
  { title: 'Mail', path: paths.viewMail(), icon: Mail, covers: [], items: [] },
  { title: 'Settings', path: paths.mailboxSettings(), icon: Settings, covers: [], items: [] },
  { title: 'Mail programs', path: paths.setUpMail(), icon: Smartphone, covers: [], items: [] },
  { title: 'API keys', path: paths.developers(), icon: KeyRound, covers: [], items: [] },
]

/** The home entry is active only on its own page; every other entry also below its path. */
export const isActive = (itemPath: string, pathname: string): boolean =>
  bare(pathname) === itemPath ||
  (itemPath !== paths.dashboard() && pathname.startsWith(`${itemPath}/`))

const bare = (pathname: string): string => pathname.replace(/\/+$/, '')

type Visit = {
  pathname: string
  /** Query of the URL; with an id the wizard shows an existing domain. */
  search?: string
  isHolder?: boolean
}

/** Outside the dashboard the title is 'Auth'. */
export const headerTitle = ({ pathname, search = '', isHolder = false }: Visit): string => {
  if (!isDashboardPath(pathname)) return 'Auth'
  const own = isHolder && holdersNavigation.find(({ path }) => isActive(path, pathname))
  if (own) return own.title
  const name = dashboardPathOf(pathname)
  const isKnownDomain = name === 'addDomain' && new URLSearchParams(search).get('id')
  return dashboardPages[isKnownDomain ? 'domain' : (name ?? 'dashboard')].title
}
