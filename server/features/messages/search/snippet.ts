/** A piece of a message's text around the first word that was found, when neither its subject nor the start of its preview has one. */

/** A line of the list shows some 45 letters on a small screen: the word is among them. */
const SEEN = 40
const BEFORE = 20
const LENGTH = 180

export const snippetOf = (
  { subject, preview, text }: { subject: string; preview: string; text: string },
  words: readonly string[],
): string => {
  const has = (where: string) => {
    const lower = where.toLowerCase()
    return words.some((word) => lower.includes(word))
  }
  if (words.length === 0 || has(subject) || has(preview.slice(0, SEEN))) return preview
  const lower = text.toLowerCase()
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0)
  if (places.length === 0) return preview
  const first = Math.min(...places)
  const from = Math.max(0, text.lastIndexOf(' ', Math.max(0, first - BEFORE)))
  const piece = text
    .slice(from, from + LENGTH)
    .trim()
    .toWellFormed()
  return from === 0 ? piece : `… ${piece}`
}
