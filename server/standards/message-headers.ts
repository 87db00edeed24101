/** The trace fields that a receiver adds to a message (RFC 5321 §4.4). */

export type Reception = {
  mailFrom: string
  /** The client's HELO name and address; null for mail that was written here. */
  client: { helo: string; ip: string } | null
  mailHost: string
  /** RFC 3848: ESMTP, ESMTPS ... */
  protocol: string
  id: string
  /** The recipient; null unless there is exactly one. */
  recipient: string | null
  at: Date
}

/** Return-Path and Received, each line ending in CRLF. */
export const traceHeaders = (r: Reception): string => {
  const by = `by ${r.mailHost} (Mailstead) with ${r.protocol} id ${r.id}`
  return [
    `Return-Path: <${r.mailFrom}>`,
    ...(r.client === null
      ? [`Received: ${by}`]
      : [`Received: from ${clientText(r.client)}`, `\t${by}`]),
    ...(r.recipient === null ? [] : [`\tfor <${r.recipient}>`]),
  ]
    .join('\r\n')
    .concat(`;\r\n\t${mailDate(r.at)}\r\n`)
}

/** Received for mail that was handed in here: it names no client, since its reader need not know where the sender is. */
export const receivedHere = ({
  mailHost,
  protocol,
  id,
  at,
}: Pick<Reception, 'mailHost' | 'protocol' | 'id' | 'at'>): string =>
  `Received: by ${mailHost} (Mailstead) with ${protocol} id ${id};\r\n\t${mailDate(at)}\r\n`

/** RFC 5322 §3.3, in UTC. */
export const mailDate = (at: Date): string => at.toUTCString().replace('GMT', '+0000')

const clientText = ({ helo, ip }: { helo: string; ip: string }): string => {
  const host = /^[\w.:[\]-]{1,255}$/.test(helo) ? helo : 'unknown'
  return `${host} ([${ip.includes(':') ? `IPv6:${ip}` : ip}])`
}

export type Answered = { messageId: string; inReplyTo: string | null; references: string[] }

const MAX_REFERENCES = 30

/**
 * The fields that link an answer to the answered message (RFC 5322 §3.6.4). Identifiers have no brackets. Keeps the first
 * reference, which names the thread, and the newest ones.
 */
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
