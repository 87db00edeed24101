/**
 * What is kept in this browser until the server has it: it survives a reload, a crash and a lost connection. Cleared when
 * somebody logs out; what is kept names its owner, so that nobody else is shown it.
 */
import { hasLeft, onSessionChange, readSession } from './api/session.ts'

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

/** Resolves when it is durable. */
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

export const whoIsHere = (): string | null => {
  const session = readSession()
  return session.status === 'signed-in' ? session.user._id : null
}

/** `owner`: who wrote it, whose session may have run out since. @throws when there is none, they left, or the browser keeps nothing. */
export async function keepLocally<T extends object>(
  id: string,
  value: T,
  owner: string | null,
): Promise<void> {
  if (owner === null || hasLeft()) throw new Error('nobody is signed in')
  await run('readwrite', (store) => store.put({ ...value, id, owner }))
}

/** Those of whoever is here, under ids that begin so. */
export async function keptLocally<T extends object>(prefix: string): Promise<(T & Kept)[]> {
  const owner = whoIsHere()
  const all = (await run('readonly', (store) => store.getAll())) as (T & Kept)[]
  return all.filter((kept) => kept.owner === owner && kept.id.startsWith(prefix))
}

export const forgetLocally = (id: string): Promise<unknown> =>
  run('readwrite', (store) => store.delete(id))

/** Whoever is next at this computer finds nothing. A session that ran out is no log-out: what was written waits. */
export function forgetAtLogOut(): void {
  onSessionChange(() => {
    const session = readSession()
    if (session.status === 'anonymous' && session.hasLeft)
      run('readwrite', (store) => store.clear()).catch(() => undefined)
  })
}
