// At the start of the body, before the view that the server drew.
;(() => {
  const { app, parts, for: drawnFor } = document.currentScript.dataset
  // All at once, and only now: scripts that arrive sooner are parsed while the view is laid out, and it comes later.
  let isStarted = false
  const start = () => {
    if (isStarted) return
    isStarted = true
    for (const href of parts.split(' ').filter(Boolean)) fetchAhead(href)
    void import(app)
  }
  if (drawnFor === undefined) return start()

  // Whoever has several workspaces may be in another one in this tab (web/lib/api/chosen-workspace.ts).
  const isMine = drawnFor === '' || [null, drawnFor].includes(tabWorkspace())
  document.documentElement.classList.toggle('not-mine', !isMine)

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

  // The view is painted before the app is compiled. A hidden page paints nothing.
  if (!document.hidden) requestAnimationFrame(() => setTimeout(start))
  setTimeout(start, document.hidden ? 0 : 500)

  function fetchAhead(href) {
    const link = { rel: 'preload', as: 'script', crossOrigin: '', href }
    document.head.append(Object.assign(document.createElement('link'), link))
  }

  function tabWorkspace() {
    try {
      return sessionStorage.getItem('mailstead-workspace')
    } catch {
      // Storage is closed to us.
      return null
    }
  }
})()
