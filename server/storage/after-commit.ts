/** Callbacks that run only after the commit: the log must not report what was rolled back. */
import type { Transaction } from 'kysely'
import type { Logger } from 'pino'
import type { Database, Db } from './database.ts'
import type { Tables } from './tables.ts'

type Callback = () => unknown

const callbacksOf = new WeakMap<Db, Callback[]>()

/**
 * Runs a transaction in which `afterCommit` may be used. It resolves when the callbacks are done. Each of them runs; one that throws is
 * logged, since what was committed is done and its caller has to hear that. A terminal has no log.
 */
export const inTransaction = async <T>(
  { db, log }: { db: Database; log?: Pick<Logger, 'error'> },
  act: (tx: Transaction<Tables>) => Promise<T>,
): Promise<T> => {
  const callbacks: Callback[] = []
  const result = await db.transaction().execute((tx) => {
    callbacksOf.set(tx, callbacks)
    return act(tx)
  })
  for (const callback of callbacks) {
    try {
      await callback()
    } catch (err) {
      log?.error({ err }, 'what follows a commit failed')
    }
  }
  return result
}

/** @throws for a transaction that `inTransaction` did not start: the callback would never run. */
export const afterCommit = (tx: Db, callback: Callback): void => {
  const callbacks = callbacksOf.get(tx)
  if (!callbacks) throw new Error('nobody hears when this transaction is committed')
  callbacks.push(callback)
}
