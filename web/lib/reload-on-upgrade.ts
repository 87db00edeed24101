/**
 * A page opened long before an upgrade requests scripts that no longer exist (decision 138). When the server has another version of the app, the
 * page reloads once; for a script that failed to load otherwise, a reload would lose typed text.
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

/** Each page contains the id of its app version. */
const isUpgraded = async (): Promise<boolean> => {
  const app = document.querySelector<HTMLElement>('script[data-app]')?.dataset.app
  const page = await fetch('/', { cache: 'no-store' }).then(
    (answer) => (answer.ok ? answer.text() : ''),
    () => '',
  )
  return app !== undefined && page !== '' && !page.includes(`data-app="${app}"`)
}

/** Whether the server can be reached and answers without an error. */
export const serverAnswers = (): Promise<boolean> =>
  fetch('/', { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )
