/** Why a message is in Junk, in one sentence. */
import type { Junk } from '#contract/messages.ts'

export function junkSentence(junk: Junk | null): string {
  const [first, ...others] = junk?.isJunk ? junk.reasons.filter(({ points }) => points > 0) : []
  if (!first) return 'In Junk because it was put there by hand.'
  const reason = first.text.replace(/^(?:Its?|An?|The)(?= )/, (word) => word.toLowerCase())
  const more = ['', ', and for one more reason'][others.length]
  return `In Junk because ${reason}${more ?? `, and for ${others.length} more reasons`}.`
}

/** '+1.5', '−2'. */
export const pointsText = (points: number): string =>
  points < 0 ? `−${-points}` : points > 0 ? `+${points}` : '0'
