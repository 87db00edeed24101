/** Finds web and mail addresses in plain text. Each character is looked at a bounded number of times. */
export type TextPart = { text: string; href?: string }

const address =
  /(?:\bhttps?:\/\/|(?<![\w@./-])www\.(?=[\p{L}\p{N}-]{1,63}\.[\p{L}\p{N}]))[^\s<>"'\p{Cc}]{1,2000}|(?<![\w.+-])[\w.+-]{1,64}@[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63}){1,8}/giu
/** Nobody reads more than that for its addresses. */
const MAX_TEXT_LENGTH = 100_000
/** Signs at the end belong to the sentence. */
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
