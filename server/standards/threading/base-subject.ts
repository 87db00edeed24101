/** A subject without the signs of answers, forwards and lists (RFC 5256 §2.1). */

const TRAILER = /\s*\(fwd\)\s*$|\s+$/i
const BLOB = /^\[[^[\]]*\]\s*/
const LEADER = /^(?:\[[^[\]]*\]\s*)*(?:re|fwd?)\s*(?:\[[^[\]]*\]\s*)?:\s*/i
const FORWARD = /^\[fwd:(.*)\]$/i

export type BaseSubject = {
  base: string
  /** It had a sign of an answer or a forward. */
  isAnswer: boolean
}

/** Encoded words are decoded already. */
export const baseSubjectOf = (subject: string): BaseSubject => {
  let base = subject.replace(/\s+/g, ' ').trim()
  let isAnswer = false
  for (let before = ''; before !== base; ) {
    before = base
    if (/\(fwd\)\s*$/i.test(base)) isAnswer = true
    base = base.replace(TRAILER, '')
    if (LEADER.test(base)) isAnswer = true
    base = base.replace(LEADER, '')
    // A sign of a list goes only where something else is left.
    const rest = base.replace(BLOB, '')
    if (rest !== '') base = rest
    const [, forwarded] = FORWARD.exec(base) ?? []
    if (forwarded === undefined) continue
    isAnswer = true
    base = forwarded.trim()
  }
  return { base, isAnswer }
}
