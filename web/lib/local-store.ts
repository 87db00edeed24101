/**
 * Data kept in this browser until the server has it: survives a reload, a crash and a lost connection. Cleared on
 * log-out; each record names its owner, so that no other user sees it.
 */
import { hasLeft, onSessionChange, readSession, signedInUserId } from './api/session.ts'

const NAME = 'mailstead'
const STORE = 'kept'

type Kept = { id: string; owner: string }

const open = (): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const opening = indexedDB.open(NAME, 1)
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE, { keyPath: 'id' })
    opening.onsuccess = () => resolve(opening.result)
    opening.onerror = () => reject(opening.error)
  })

/** Resolves when the data is durable; no library for IndexedDB waits for that (decision 052). */
async function run<T>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const database = await open()
  try {
    return await new Promise<T>((resolve, reject) => {
      const transaction = database.transaction(STORE, mode, { durability: 'strict' })
      const request = act(transaction.objectStore(STORE))
      transaction.oncomplete = () => resolve(request.result)
      transaction.onabort = () => reject(transaction.error)
    })
  } finally {
    database.close()
  }
}

/**
 * `owner`: the user who wrote it; their session may have expired since. @throws without an owner, after log-out, or without
 * storage.
 */
export async function keepLocally<T extends object>(
  id: string,
  value: T,
  owner: string | null,
): Promise<void> {
  if (owner === null || hasLeft()) throw new Error('nobody is signed in')
  await run('readwrite', (store) => store.put({ ...value, id, owner }))
}

/** The records of the signed-in user whose ids start with `prefix`. */
export async function keptLocally<T extends object>(prefix: string): Promise<(T & Kept)[]> {
  const owner = signedInUserId()
  const all = (await run('readonly', (store) => store.getAll())) as (T & Kept)[]
  return all.filter((kept) => kept.owner === owner && kept.id.startsWith(prefix))
}

export const forgetLocally = (id: string): Promise<unknown> =>
  run('readwrite', (store) => store.delete(id))

/** On log-out the next user of this computer finds nothing. An expired session is no log-out: its data stays. */
export function forgetAtLogOut(): void {
  onSessionChange(() => {
    const session = readSession()
    if (session.status === 'anonymous' && session.hasLeft)
      run('readwrite', (store) => store.clear()).catch(() => undefined)
  })
}
