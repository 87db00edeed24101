// Before the first paint; the policy allows no inline script. Keys as in web/lib/theme.ts, session.ts and chosen-workspace.ts.
;(() => {
  const read = (storage, key) => {
    try {
      return window[storage].getItem(key)
    } catch {
      // Storage is closed to us.
      return null
    }
  }
  const page = document.documentElement
  const theme = read('localStorage', 'mailstead-theme')
  const isDark =
    theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  page.classList.toggle('dark', isDark)

  // What the server drew may be for somebody who is not signed in, or of a workspace that this tab is not in.
  const drawnFor = page.dataset.for
  const workspace = read('sessionStorage', 'mailstead-workspace')
  const isMine =
    drawnFor === 'visitors'
      ? read('localStorage', 'mailstead-signed-in') !== '1'
      : !workspace || workspace === drawnFor
  page.classList.toggle('not-mine', drawnFor !== undefined && !isMine)

  // Where there is something to see already, it is painted before the app is compiled. A hidden page paints nothing.
  const { app } = page.dataset
  if (app === undefined) return
  // A button that is pressed before the app is there is kept for it. Links work by themselves.
  let pressed = null
  const keep = (event) => {
    const button = event.target instanceof Element && event.target.closest('button')
    if (!button) return
    event.preventDefault()
    pressed = button
  }
  addEventListener('click', keep, true)
  window.takePressed = () => {
    removeEventListener('click', keep, true)
    return pressed
  }
  const start = () => import(app)
  if (!document.hidden) requestAnimationFrame(() => setTimeout(start))
  setTimeout(start, document.hidden ? 0 : 500)
})()
