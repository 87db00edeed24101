/** List-Unsubscribe and List-Unsubscribe-Post (RFC 2369, RFC 8058). */
import { verifiedSignaturesIn } from './authentication-results.ts'
import { type HeaderLine, headerLinesOf } from './message-lines.ts'

export type ListOffer = {
  way: 'one-click' | 'mail' | 'page'
  /** The https: or mailto: address. */
  target: string
}

const MAX_TARGET = 2_000

/**
 * `authservId`: whose Authentication-Results count; null: none, so that nothing is done in one click. One click needs a verified
 * signature that covers both fields (RFC 8058 section 4), and each field once: of several, another one may be signed.
 */
export const listOfferIn = (
  raw: Buffer,
  authservId: string | null,
): { offer: ListOffer | null; listId: string } => {
  const headers = headerLinesOf(raw)
  const fields = headers.filter(({ name }) => name === 'list-unsubscribe')
  const posts = headers.filter(({ name }) => name === 'list-unsubscribe-post')
  const [listId] = headers.filter(({ name }) => name === 'list-id')
  const targets = fields[0] ? targetsIn(textOf(fields[0])) : []
  const page = targets.find((target) => target.startsWith('https:'))
  const letter = targets.find((target) => target.startsWith('mailto:'))
  const isOneClick =
    page !== undefined &&
    authservId !== null &&
    fields.length === 1 &&
    posts.length === 1 &&
    /^\s*List-Unsubscribe=One-Click\s*$/i.test(textOf(posts[0] as HeaderLine)) &&
    verifiedSignaturesIn(headers, authservId).some(coversBoth)
  const offer: ListOffer | null = isOneClick
    ? { way: 'one-click', target: page }
    : letter !== undefined
      ? { way: 'mail', target: letter }
      : page !== undefined
        ? { way: 'page', target: page }
        : null
  return { offer, listId: listId ? idIn(textOf(listId)) : '' }
}

const coversBoth = (signature: HeaderLine): boolean => {
  const [, covered = ''] = /(?:^|;)\s*h\s*=([^;]*)/i.exec(textOf(signature)) ?? []
  const names = covered.split(':').map((name) => name.trim().toLowerCase())
  return names.includes('list-unsubscribe') && names.includes('list-unsubscribe-post')
}

const textOf = ({ line }: HeaderLine): string =>
  line.slice(line.indexOf(':') + 1).replaceAll('\r\n', '')

/** The addresses in angle brackets, in the sender's order, without white space; only https: and mailto:. */
const targetsIn = (value: string): string[] =>
  [...value.slice(0, 10_000).matchAll(/<([^<>]*)>/g)]
    .map(([, target = '']) => target.replace(/\s/g, ''))
    .filter((target) => target.length <= MAX_TARGET)
    .map((target) => URL.parse(target))
    .filter((url) => url?.protocol === 'https:' || url?.protocol === 'mailto:')
    .map((url) => url?.href ?? '')

/** The identifier in the last angle brackets, else the whole value. */
const idIn = (value: string): string => /<([^<>]*)>[^<>]*$/.exec(value)?.[1]?.trim() ?? value.trim()
