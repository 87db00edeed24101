/** What is said of a transaction only once it is committed: a line in the log must not tell what was rolled back. */
import type { Transaction } from 'kysely'
import type { Database, Db } from './database.ts'
import type { Tables } from './tables.ts'

const waiting = new WeakMap<Db, (() => void)[]>()

/** A transaction in which `afterCommit` may be used. */
export const inTransaction = async <T>(
  db: Database,
  act: (tx: Transaction<Tables>) => Promise<T>,
): Promise<T> => {
  const later: (() => void)[] = []
  const result = await db.transaction().execute((tx) => {
    waiting.set(tx, later)
    return act(tx)
  })
  for (const say of later) say()
  return result
}

/** @throws for a transaction that `inTransaction` did not begin: it would never be said. */
export const afterCommit = (tx: Db, say: () => void): void => {
  const later = waiting.get(tx)
  if (!later) throw new Error('nobody hears when this transaction is committed')
  later.push(say)
}
