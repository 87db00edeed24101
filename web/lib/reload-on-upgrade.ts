/**
 * A page that was opened before an upgrade asks for scripts that are no longer there. When the
 * server answers, the page is loaded anew, once; when it does not, reloading would only lose it.
 */
const KEY = 'mailstead-reloaded-at'
const ONCE_WITHIN_MS = 60_000

export function reloadOnUpgrade(): void {
  addEventListener('vite:preloadError', async () => {
    const last = Number(sessionStorage.getItem(KEY) ?? 0)
    if (Date.now() - last < ONCE_WITHIN_MS || !(await serverAnswers())) return
    sessionStorage.setItem(KEY, String(Date.now()))
    location.reload()
  })
}

/** Whether the line is there and the server well. */
export const serverAnswers = (): Promise<boolean> =>
  fetch('/', { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )
