/** Links of mails: only http, https and mailto, and where they really lead. */

/** null for everything that must not be opened. */
export function safeHref(href: string): string | null {
  const url = URL.parse(href.trim())
  if (!url || !['http:', 'https:', 'mailto:'].includes(url.protocol)) return null
  // 'https://bank.example@evil.example/' reads as another host.
  url.username = ''
  url.password = ''
  return url.href
}

/** The host that a safe link leads to, or the address that it writes to. */
export function destinationOf(href: string): string {
  const url = URL.parse(href)
  if (!url) return ''
  return url.protocol === 'mailto:' ? decodeSafely(url.pathname) : url.host
}

/** True when the text of a link names one host and the link leads to another. */
export function isDeceptive(text: string, href: string): boolean {
  const shown =
    /^\s*(?:https?:\/\/)?((?:[\p{L}\p{N}-]{1,63}\.)+\p{L}{2,63})(?:[/:?#]\S*)?\s*$/iu.exec(text)
  const url = URL.parse(href)
  if (!shown?.[1] || !url || url.protocol === 'mailto:') return false
  const named = URL.parse(`http://${shown[1]}`)?.hostname ?? ''
  const plain = (host: string) => host.replace(/^www\./, '')
  return plain(named) !== plain(url.hostname)
}

const decodeSafely = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
