// Before the first paint, in the head of every page. The server says what was chosen (the cookie of web/lib/theme.ts).
;(() => {
  const { theme } = document.documentElement.dataset
  const isDark =
    theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.classList.toggle('dark', isDark)
})()
