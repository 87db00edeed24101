/** RFC 5322 §3.6.4: what ties an answer to the message it answers. Identifiers come without brackets. */

export type Answered = { messageId: string; inReplyTo: string | null; references: string[] }

const MAX_REFERENCES = 30

/** Keeps the first reference, which names the thread, and the newest ones. */
export const replyHeaders = (
  answered: Answered,
): { inReplyTo: string; references: string[] } | null => {
  if (answered.messageId === '') return null
  const parents =
    answered.references.length > 0
      ? answered.references
      : answered.inReplyTo === null
        ? []
        : [answered.inReplyTo]
  const chain = [...new Set([...parents, answered.messageId])]
  const references =
    chain.length <= MAX_REFERENCES
      ? chain
      : [...chain.slice(0, 1), ...chain.slice(1 - MAX_REFERENCES)]
  return { inReplyTo: answered.messageId, references }
}
