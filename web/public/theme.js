// Applies the chosen theme before first paint; the policy allows no inline script. Keys as in web/lib/theme.ts.
;(() => {
  let chosen = null
  try {
    chosen = localStorage.getItem('mailstead-theme')
  } catch {
    // Storage is closed to us: follow the system.
  }
  const isDark =
    chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.classList.toggle('dark', isDark)
})()
