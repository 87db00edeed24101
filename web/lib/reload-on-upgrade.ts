/**
 * A page that was opened before an upgrade asks for scripts that are no longer there. When the server has another app by
 * now, the page is loaded anew, once; for a script that was only lost on the way, reloading would lose what is typed.
 */
const KEY = 'mailstead-reloaded-at'
const ONCE_WITHIN_MS = 60_000

export function reloadOnUpgrade(): void {
  addEventListener('vite:preloadError', async () => {
    const last = Number(sessionStorage.getItem(KEY) ?? 0)
    if (Date.now() - last < ONCE_WITHIN_MS || !(await isUpgraded())) return
    sessionStorage.setItem(KEY, String(Date.now()))
    location.reload()
  })
}

/** Each page names its app. */
const isUpgraded = async (): Promise<boolean> => {
  const app = document.querySelector<HTMLElement>('script[data-app]')?.dataset.app
  const page = await fetch('/', { cache: 'no-store' }).then(
    (answer) => (answer.ok ? answer.text() : ''),
    () => '',
  )
  return app !== undefined && page !== '' && !page.includes(`data-app="${app}"`)
}

/** Whether the line is there and the server well. */
export const serverAnswers = (): Promise<boolean> =>
  fetch('/', { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )
