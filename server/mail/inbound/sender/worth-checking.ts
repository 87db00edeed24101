/**
 * Limits which header fields are checked. Each signature names fields to find in the whole header, needs a key from DNS and a
 * hash of the body: the sender chooses how much work that is, so it is limited (RFC 6376 §6.1).
 */
import type { HeaderLine } from '#server/standards/message-lines.ts'

/** A sender signs once or twice, and each forwarder once. */
const MAX_SIGNATURES = 5
/** RFC 8617 allows fifty, but real chains have fewer than ten. A longer chain is left out entirely. */
const MAX_ARC_SETS = 10
/** Fields in the h= tag of one signature. */
const MAX_SIGNED_FIELDS = 1_000
/** Fields in one h= tag times fields in the header. Ordinary mail: 30 times 60. */
const MAX_STEPS = 200_000
/** Real fields have fewer, and mailauth parses a field in quadratic time. */
const MAX_FOLDS = 1_000
const LARGE_BYTES = 1_000_000
const wideGap = /\s{1000}/

/** `unread`: fields over a limit, which are not checked; `idle`: fields that no check needs. In header order. */
export type Sorted = { unread: HeaderLine[]; idle: HeaderLine[] }

export const sortHeader = (headers: readonly HeaderLine[], bytes: number): Sorted => {
  const surplus = surplusSignatures(headers, bytes)
  const unread = headers.filter(
    (field) =>
      surplus.has(field) || wideGap.test(field.line) || field.line.split('\r\n').length > MAX_FOLDS,
  )
  const left = new Set(unread)
  const named = new Set(read)
  for (const field of headers)
    if (signing.has(field.name) && !left.has(field))
      for (const name of namedBy(field)) named.add(name.trim().toLowerCase())
  const isIdle = (field: HeaderLine) =>
    !left.has(field) && !named.has(field.name) && !field.name.startsWith('arc-')
  return { unread, idle: headers.filter(isIdle) }
}

/** Fields that the checks read even when no signature names them. */
const read = ['from', 'dkim-signature', 'content-type', 'return-path']
const signing = new Set(['dkim-signature', 'arc-message-signature'])

/** The body is hashed again for every length (l=) in a signature. */
const surplusSignatures = (
  headers: readonly HeaderLine[],
  bytes: number,
): ReadonlySet<HeaderLine> => {
  const signatures = authorsFirst(headers)
  const isTooMuch = ({ line }: HeaderLine) => {
    const named = line.split(':').length
    return named > MAX_SIGNED_FIELDS || named * headers.length > MAX_STEPS
  }
  const partial = signatures.filter(({ line }) => /;\s*l\s*=/.test(line))
  const chain = headers.filter(({ name }) => name.startsWith('arc-'))
  const isChainTooMuch =
    chain.length > 3 * MAX_ARC_SETS ||
    chain.some((field) => signing.has(field.name) && isTooMuch(field))
  return new Set([
    ...signatures.slice(MAX_SIGNATURES),
    ...signatures.filter(isTooMuch),
    ...partial.slice(bytes > LARGE_BYTES ? 1 : MAX_SIGNATURES),
    ...(isChainTooMuch ? chain : []),
  ])
}

/** Signatures that align with the author's domain come first: only they can satisfy its policy. */
const authorsFirst = (headers: readonly HeaderLine[]): HeaderLine[] => {
  const from = headers.find(({ name }) => name === 'from')?.line ?? ''
  const author = /@([^@\s>"(),;]+)[^@]*$/.exec(from)?.[1]?.toLowerCase() ?? ''
  const isOwn = ({ line }: HeaderLine): boolean => {
    const domain = /[:;]\s*d\s*=\s*([^;\s]+)/.exec(line)?.[1]?.toLowerCase() ?? ''
    return (
      domain !== '' && (`.${author}`.endsWith(`.${domain}`) || `.${domain}`.endsWith(`.${author}`))
    )
  }
  const signatures = headers.filter(({ name }) => name === 'dkim-signature')
  return [...signatures.filter(isOwn), ...signatures.filter((field) => !isOwn(field))]
}

const namedBy = ({ line }: HeaderLine): string[] =>
  (/[:;]\s*h\s*=([^;]*)/.exec(line)?.[1] ?? '').split(':')
