// Runs at the start of the body, before the view that the server drew.
;((loadAnew) => {
  const { app, parts, for: drawnFor } = document.currentScript.dataset
  // Requested late: scripts that arrive earlier are parsed during the layout of the view and delay it.
  let isStarted = false
  const start = () => {
    if (isStarted) return
    isStarted = true
    for (const href of parts.split(' ').filter(Boolean)) fetchAhead(href)
    import(app).catch(goWithoutApp)
  }
  if (drawnFor === undefined) return start()

  // A user with several workspaces may use another one in this tab (web/lib/api/access-token.ts).
  const isMine = drawnFor === '' || [null, drawnFor].includes(tabWorkspace())
  document.documentElement.classList.toggle('not-mine', !isMine)

  // A press before the app runs is remembered for the app and stopped here: of a button, or of a link to a page of ours, which
  // the app opens sooner than the browser. If the app cannot start, links lead on without it.
  let pressed = null
  let isHeld = false
  const keep = (event) => {
    const button = event.target instanceof Element && event.target.closest('button, a[href]')
    // The pointer may be released elsewhere; only a click event shows that the press was meant.
    if (event.type.startsWith('pointer')) pressed = null
    if (!button || event.button > 0 || ends.includes(event.type)) return
    if (button instanceof HTMLAnchorElement && !isOpenedHere(event, button)) return
    event.stopImmediatePropagation()
    pressed = button
    isHeld = event.type !== 'click'
    if (!isHeld) event.preventDefault()
  }
  const isOpenedHere = ({ type, ctrlKey, metaKey, shiftKey, altKey }, link) =>
    type === 'click' &&
    !(ctrlKey || metaKey || shiftKey || altKey || link.target || link.hasAttribute('download')) &&
    link.origin === location.origin &&
    link.pathname.startsWith('/dashboard') &&
    // A place in this page.
    !link.getAttribute('href').startsWith('#')
  // The drawn button of a form may be disabled until the app has seen what was typed, so Enter would send nothing.
  const keepEnter = (event) => {
    const field = event.target
    // Enter also ends the composing of a letter.
    if (
      event.key !== 'Enter' ||
      event.isComposing ||
      !(field instanceof HTMLInputElement) ||
      !field.form
    )
      return
    event.preventDefault()
    pressed = field
    isHeld = false
  }
  addEventListener('keydown', keepEnter, true)
  const ends = ['pointerup', 'pointercancel']
  const types = ['pointerdown', 'mousedown', ...ends, 'click']
  for (const type of types) addEventListener(type, keep, true)
  window.takePressed = () => {
    for (const type of types) removeEventListener(type, keep, true)
    removeEventListener('keydown', keepEnter, true)
    return pressed && { button: pressed, isHeld }
  }

  function goWithoutApp(error) {
    const { button } = window.takePressed?.() ?? {}
    if (button instanceof HTMLAnchorElement) return location.assign(button.href)
    return loadAnew(app, error)
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
})(async (app, error) => {
  // An upgrade took the scripts of the page away. Once in a minute, as in web/lib/reload-on-upgrade.ts.
  const isReplaced = async () => {
    const last = Number(sessionStorage.getItem('mailstead-reloaded-at') ?? 0)
    if (Date.now() - last < 60_000) return false
    const answer = await fetch('/', { cache: 'no-store' })
    if (!answer.ok || (await answer.text()).includes(`data-app="${app}"`)) return false
    sessionStorage.setItem('mailstead-reloaded-at', String(Date.now()))
    return true
  }
  // Without a connection or a storage, a page could be loaded for ever.
  if (!(await isReplaced().catch(() => false))) throw error
  location.reload()
})
