/** Links of mails: allows only http, https and mailto, and finds where they really lead. */

/** Returns null for a link that must not be opened. */
export function safeHref(href: string): string | null {
  const url = URL.parse(href.trim())
  if (!url || !['http:', 'https:', 'mailto:'].includes(url.protocol)) return null
  // 'https://bank.example@evil.example/' looks like another host.
  url.username = ''
  url.password = ''
  return url.href
}

/** The host that a safe link leads to, or the mail address of a mailto: link. */
export function destinationOf(href: string): string {
  const url = URL.parse(href)
  if (!url) return ''
  return url.protocol === 'mailto:' ? decodeSafely(url.pathname) : url.host
}

/** True when the text of a link names one host and the link leads to another that is not its parent or subdomain. */
export function isDeceptive(text: string, href: string): boolean {
  const named = hostNamedIn(text)
  const url = URL.parse(href)
  if (named === null || !url) return false
  const isMail = url.protocol === 'mailto:'
  const actual = isMail ? hostOf(decodeSafely(url.pathname).split('@').at(-1) ?? '') : url.hostname
  if (isMail && !text.includes('@')) return false
  const [shown, reached] = [named, actual ?? ''].map((host) => host.replace(/^www\./, '')) as [
    string,
    string,
  ]
  return shown !== reached && !reached.endsWith(`.${shown}`) && !shown.endsWith(`.${reached}`)
}

/** `whole`: the text is a host or an address and nothing else. `within`: the text contains a URL. */
const whole =
  /^\s*(?:[\w.+-]{1,64}@)?((?:[\p{L}\p{N}-]{1,63}\.){1,10}\p{L}{2,63})(?:[/:?#]\S{0,2000})?\s*$/iu
const within = /(?:https?:\/\/|\bwww\.)((?:[\p{L}\p{N}-]{1,63}\.){0,10}[\p{L}\p{N}-]{1,63})/iu

/** File names look like host names. */
const isFile = /\.(?:pdf|docx?|xlsx?|pptx?|odt|ods|csv|txt|html?|png|jpe?g|gif|ics|eml)$/i

function hostNamedIn(text: string): string | null {
  const found = within.exec(text)?.[1] ?? whole.exec(text)?.[1]
  return found === undefined || isFile.test(found) ? null : hostOf(found)
}

const hostOf = (name: string): string | null => URL.parse(`http://${name}`)?.hostname ?? null

const decodeSafely = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Finds URLs and mail addresses in plain text. Linear time: the pattern has no unbounded repetition. */
export type TextPart = { text: string; href?: string }

const address =
  /(?:\bhttps?:\/\/|(?<![\w@./-])www\.(?=[\p{L}\p{N}-]{1,63}\.[\p{L}\p{N}]))[^\s<>"'\p{Cc}]{1,2000}|(?<![\w.+-])[\w.+-]{1,64}@[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63}){1,8}/giu
/** In longer texts no addresses are searched. */
const MAX_TEXT_LENGTH = 100_000
/** Punctuation at the end belongs to the sentence. */
const sentenceEnd = /[.,;:!?\])}*_~]{1,10}$/

export function linkify(text: string): TextPart[] {
  if (text.length > MAX_TEXT_LENGTH) return [{ text }]
  const parts: TextPart[] = []
  let at = 0
  for (const { 0: found, index } of text.matchAll(address)) {
    const shown = withoutSentenceEnd(found)
    const href = hrefOf(shown)
    if (!href) continue
    if (index > at) parts.push({ text: text.slice(at, index) })
    parts.push({ text: shown, href })
    at = index + shown.length
  }
  if (at < text.length) parts.push({ text: text.slice(at) })
  return parts
}

const isWeb = (text: string): boolean => /^(?:https?:|www\.)/i.test(text)

const withoutSentenceEnd = (text: string): string =>
  isWeb(text) && /\([^)]*\)$/.test(text) ? text : text.replace(sentenceEnd, '')

const hrefOf = (text: string): string | undefined => {
  if (!isWeb(text)) return `mailto:${text}`
  return URL.parse(/^www\./i.test(text) ? `https://${text}` : text)?.href
}
