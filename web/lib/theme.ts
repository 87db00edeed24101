/**
 * The theme: light, dark or that of the system. The cookie tells the server; `public/theme.js` applies it before the first
 * paint.
 */
import { canvasColours } from '#contract/first-view.ts'
import { createStore } from './store.ts'

const KEY = 'mailstead-theme'
const YEAR_SECONDS = 31_536_000
export type Theme = 'light' | 'dark' | 'system'

const store = createStore()
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
  paintBar(canvasColours[isDark ? 'dark' : 'light'])
  store.changed()
}

/** The bar of the browser around the page. What the server wrote is of the choice that its cookie had. */
function paintBar(colour: string): void {
  const [bar, ...others] = document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')
  if (!bar) return
  for (const other of others) other.remove()
  bar.removeAttribute('media')
  bar.content = colour
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme)
  apply()
}

/** Follows the system while the choice is 'system', and follows the choice made in another tab. */
export function watchTheme(): void {
  // Some browsers keep a cookie set by a script for a week only: each visit renews it.
  apply()
  systemIsDark().addEventListener('change', apply)
  addEventListener('storage', (event) => event.key === KEY && apply())
}

/** Whether dark is shown now, by choice or by the system. */
export const useIsDark = (): boolean =>
  store.use(
    () => document.documentElement.classList.contains('dark'),
    () => false,
  )

export const useTheme = (): Theme => store.use(readTheme, () => 'system')
