/** Answers 'what became of their mail' from the log: who sent what to whom, and what was said (decision 115). */
import { AppError } from '#contract/errors.ts'
import type { LoggedMail } from '#contract/operator/mail-log.ts'
import type { OperatorApp } from '#server/features/operators/operators.ts'
import { isId } from '#server/lib/ids.ts'
import type { Page } from '#server/lib/list-pages.ts'
import { readDomainName } from '#server/standards/domain-name.ts'
import { type LoggedWord, type MailLogRow, readMailLog } from './mail-log-store.ts'

const MOST_WORDS = 2

/** Newest first. `q`: an address or a domain, or two of them: then one sent to the other. @throws VALIDATION */
export const findMails = async (
  { db }: Pick<OperatorApp, 'db'>,
  { q, cursor, limit }: Page & { q: string },
): Promise<{ items: LoggedMail[]; nextCursor: string | null }> => {
  const words = wordsOf(q)
  const before = cursor !== undefined && isId(cursor) ? cursor : null
  const rows = await readMailLog(db, words, { before, limit: limit + 1 })
  const items = rows.slice(0, limit).map(toLogged)
  return { items, nextCursor: rows.length > limit ? (items.at(-1)?._id ?? null) : null }
}

const wordsOf = (q: string): LoggedWord[] => {
  const words = q
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((word) => word !== '')
  if (words.length === 0 || words.length > MOST_WORDS)
    throw refusing('Search for an address or a domain, or for two of them')
  return words.map(wordOf)
}

const wordOf = (word: string): LoggedWord => {
  const at = word.lastIndexOf('@')
  const read = readDomainName(word.slice(at + 1), true)
  if (!('name' in read)) throw refusing(`${word} is no address and no domain`)
  return at > 0 ? { address: `${word.slice(0, at)}@${read.name}` } : { domain: read.name }
}

const refusing = (sentence: string) => new AppError('VALIDATION', { data: { q: sentence } })

const toLogged = ({ id, at, mailFrom, recipient, ...row }: MailLogRow): LoggedMail => ({
  ...{ _id: id, at: at.toISOString(), from: mailFrom, to: recipient },
  ...row,
})
