/** Finds web and mail addresses in plain text. Each character is looked at a bounded number of times. */
export type TextPart = { text: string; href?: string }

const address =
  /\bhttps?:\/\/[^\s<>"'\p{Cc}]{1,2000}|(?<![\w.+-])[\w.+-]{1,64}@[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63}){1,8}/giu
/** Signs at the end belong to the sentence. */
const sentenceEnd = /[.,;:!?\])}*_~]{1,10}$/

export function linkify(text: string): TextPart[] {
  const parts: TextPart[] = []
  let at = 0
  for (const { 0: found, index } of text.matchAll(address)) {
    const isWeb = /^https?:/i.test(found)
    const shown = isWeb && /\([^)]*\)$/.test(found) ? found : found.replace(sentenceEnd, '')
    const href = isWeb ? URL.parse(shown)?.href : `mailto:${shown}`
    if (!href) continue
    if (index > at) parts.push({ text: text.slice(at, index) })
    parts.push({ text: shown, href })
    at = index + shown.length
  }
  if (at < text.length) parts.push({ text: text.slice(at) })
  return parts
}
