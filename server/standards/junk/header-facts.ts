/** What the header of a message says about how it was made. */
import type { HeaderLine } from '../message-lines.ts'

export type HeaderFacts = {
  /** Domains that an answer would go to. */
  replyDomains: string[]
  hasMessageId: boolean
  /** null: none, or none that can be read. */
  date: Date | null
  /** It says which message it answers. */
  isAnswer: boolean
  /** From a list or to many, and says so. */
  isBulk: boolean
}

const MAX_READ = 2_000

export const headerFactsOf = (headers: readonly HeaderLine[]): HeaderFacts => {
  const has = (...names: string[]) => headers.some(({ name }) => names.includes(name))
  const date = new Date(fieldOf(headers, 'date').replace(/\([^)]*\)/g, ''))
  return {
    replyDomains: [...fieldOf(headers, 'reply-to').matchAll(/@([a-z0-9.-]+)/gi)].map(
      ([, domain = '']) => domain.toLowerCase(),
    ),
    hasMessageId: has('message-id'),
    date: Number.isNaN(date.getTime()) ? null : date,
    isAnswer: has('in-reply-to', 'references'),
    isBulk: has('list-unsubscribe', 'list-id'),
  }
}

const fieldOf = (headers: readonly HeaderLine[], wanted: string): string => {
  const line = headers.find(({ name }) => name === wanted)?.line ?? ''
  return line
    .slice(line.indexOf(':') + 1)
    .slice(0, MAX_READ)
    .replaceAll('\r\n', '')
}
