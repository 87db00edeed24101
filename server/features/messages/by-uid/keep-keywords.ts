import { invalidField } from '#contract/errors.ts'
import type { Db } from '#server/storage/database.ts'
import type { Place } from '../bulk-store.ts'
import { insertKeywords, keywordsOf } from './keywords-store.ts'

/** Of one message. */
export const MAX_KEYWORDS = 100
const MAX_KEYWORD_BYTES = 100
/** Of a mailbox: a program that opens a folder is told all of them. */
const MAX_KEYWORDS_OF_MAILBOX = 500

const tooMany = (message: string) => invalidField('keywords', message)

export const tooManyOfMessage = () => tooMany(`A message has at most ${MAX_KEYWORDS} keywords`)

/**
 * The keywords in the spelling in which the mailbox first got them, each once. The caller has locked the mailbox.
 * @throws VALIDATION for too many keywords, or too long ones
 */
export const keepKeywords = async (
  tx: Db,
  place: Place,
  keywords: readonly string[],
): Promise<string[]> => {
  if (keywords.length === 0) return []
  if (keywords.some((each) => each === '' || Buffer.byteLength(each) > MAX_KEYWORD_BYTES))
    throw tooMany(`A keyword has at most ${MAX_KEYWORD_BYTES} letters`)
  const stored = await keywordsOf(tx, place)
  const known = new Map(stored.map((keyword) => [keyword.toLowerCase(), keyword]))
  const given = new Map(keywords.map((keyword) => [keyword.toLowerCase(), keyword]))
  if (given.size > MAX_KEYWORDS) throw tooManyOfMessage()
  const fresh = [...given].filter(([key]) => !known.has(key)).map(([, keyword]) => keyword)
  if (known.size + fresh.length > MAX_KEYWORDS_OF_MAILBOX)
    throw tooMany(`A mailbox has at most ${MAX_KEYWORDS_OF_MAILBOX} keywords`)
  if (fresh.length > 0) await insertKeywords(tx, place, { keywords: fresh, after: known.size })
  return [...given].map(([key, keyword]) => known.get(key) ?? keyword)
}
