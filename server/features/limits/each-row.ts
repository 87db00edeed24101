/** Runs a verb on many rows: each by its own right and transaction, so that one that is refused stops no other. */
import { AppError } from '#contract/errors.ts'
import type { RowResult } from '#contract/many-domains.ts'
import { openTurns } from '#server/lib/turns/turns.ts'

/**
 * `work` may return why the row is not done, or throw an AppError. Answers in the order of `ids`, each once.
 * @throws what is no AppError, after the rows that had begun
 */
export const eachRow = async (
  ids: readonly string[],
  work: (id: string) => Promise<string | undefined>,
  atOnce = 1,
): Promise<RowResult[]> => {
  const turns = openTurns(atOnce)
  const one = async (id: string): Promise<RowResult> => {
    try {
      const message = (await work(id)) ?? ''
      return { id, isDone: message === '', message }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return { id, isDone: false, message: sentenceOf(error) }
    }
  }
  const each = [...new Set(ids.map((id) => id.toLowerCase()))]
  return Promise.all(each.map((id) => turns.take(() => one(id))))
}

/** The message of a refused field says more than that a field is wrong. */
const sentenceOf = ({ type, message, data }: AppError): string => {
  const [field] = Object.values(data)
  return type === 'VALIDATION' && typeof field === 'string' ? field : message
}
