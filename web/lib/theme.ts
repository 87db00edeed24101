/** Light, dark or as the system has it. `public/theme.js` applies the choice that the cookie tells the server, before first paint. */
import { useSyncExternalStore } from 'react'

const KEY = 'mailstead-theme'
const YEAR_SECONDS = 31_536_000
export type Theme = 'light' | 'dark' | 'system'

const listeners = new Set<() => void>()
const systemIsDark = () => matchMedia('(prefers-color-scheme: dark)')

export function readTheme(): Theme {
  const chosen = localStorage.getItem(KEY)
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system'
}

function apply(): void {
  const theme = readTheme()
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser we support
  document.cookie = `${KEY}=${theme}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax`
  const isDark = theme === 'dark' || (theme === 'system' && systemIsDark().matches)
  document.documentElement.classList.toggle('dark', isDark)
  for (const listener of listeners) listener()
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme)
  apply()
}

/** Follows the system while the choice is 'system', and the choice made in another tab. */
export function watchTheme(): void {
  // Some browsers keep a cookie that a script has set for a week only: each visit tells the server again.
  apply()
  systemIsDark().addEventListener('change', apply)
  addEventListener('storage', (event) => event.key === KEY && apply())
}

const listen = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** What is shown now, whoever chose it. */
export const useIsDark = (): boolean =>
  useSyncExternalStore(
    listen,
    () => document.documentElement.classList.contains('dark'),
    () => false,
  )

export const useTheme = (): Theme => useSyncExternalStore(listen, readTheme, () => 'system')
