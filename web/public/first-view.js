// At the start of the body, before the view that the server drew.
;(() => {
  const { app, for: drawnFor } = document.body.dataset
  const start = () => void import(app)
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

  function tabWorkspace() {
    try {
      return sessionStorage.getItem('mailstead-workspace')
    } catch {
      // Storage is closed to us.
      return null
    }
  }
})()
