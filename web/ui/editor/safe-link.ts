/** Where a link may lead that somebody types: the web, or an address to write to. null: nowhere. */
export function safeLink(typed: string): string | null {
  const text = typed.trim()
  if (text === '' || /\s/.test(text)) return null
  if (/^[^@:/]+@[^@:/]+\.[^@:/]+$/.test(text)) return `mailto:${text}`
  const url = URL.parse(
    /^[a-z][a-z0-9+.-]*:/i.test(text) && !/^[^/:]+:\d/.test(text) ? text : `https://${text}`,
  )
  if (!url || !['http:', 'https:', 'mailto:'].includes(url.protocol)) return null
  if (url.protocol !== 'mailto:' && !/^[^.]+(?:\.[^.]+)+\.?$|^localhost$|^\[/.test(url.hostname))
    return null
  return url.href
}
