/**
 * Uploads the files of a message: each once, however often the message is saved. A failed upload is repeated when its id is
 * needed. Knows nothing of the user interface.
 */

import { createStore } from '#web/lib/store.ts'

export type UploadState =
  | { status: 'waiting' }
  | { status: 'uploading'; progress: number }
  | { status: 'done'; id: string }
  | { status: 'failed'; error: unknown }

type Options = { signal: AbortSignal; onProgress: (progress: number) => void }
type Upload = (file: Blob, name: string, options: Options) => Promise<string>
/** Gives the server a file, and resolves with its id. */
type Bring = (options: Options) => Promise<string>

type Entry = {
  state: UploadState
  /** null: the server has the file, and this browser does not know it. */
  bring: Bring | null
  /** Of a file of this browser. */
  blob: Blob | null
  running: Promise<string> | null
  stop: AbortController | null
}

export type UploadShelf = {
  /** Adds a file and starts its upload; with an `id` the server has it already. */
  put(key: string, blob: Blob, name: string, id?: string): void
  /** Adds a file that the server has elsewhere, and starts `copy`, which resolves with its id. */
  putCopy(key: string, copy: () => Promise<string>): void
  /** Records that the server has the file. */
  markUploaded(key: string, id: string): void
  has(key: string): boolean
  /** Resolves with the id when the upload is done. @throws what the upload threw. */
  idOf(key: string): Promise<string>
  stateOf(key: string): UploadState
  /** Removes a file and aborts its upload. */
  drop(key: string): void
  /** Records that the server has lost the file. Returns whether it can be uploaded again. */
  markLost(id: string): boolean
  blobs(): [key: string, blob: Blob][]
  known(): [key: string, id: string][]
  onChange(listener: () => void): () => void
}

/** Parallel uploads. */
const AT_ONCE = 2

/** Runs at most `atOnce` functions at a time, in order. */
function createQueue(atOnce: number): <T>(run: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (run) => {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
    running += 1
    try {
      return await run()
    } finally {
      running -= 1
      waiting.shift()?.()
    }
  }
}

type UploadContext = { inTurn: ReturnType<typeof createQueue>; notify: () => void }

async function run({ inTurn, notify }: UploadContext, entry: Entry, bring: Bring): Promise<string> {
  const stop = new AbortController()
  entry.stop = stop
  const setState = (state: UploadState) => {
    entry.state = state
    notify()
  }
  setState({ status: 'waiting' })
  try {
    const id = await inTurn(async () => {
      stop.signal.throwIfAborted()
      const onProgress = (progress: number) => setState({ status: 'uploading', progress })
      onProgress(0)
      return bring({ signal: stop.signal, onProgress })
    })
    setState({ status: 'done', id })
    return id
  } catch (error) {
    setState({ status: 'failed', error })
    throw error
  } finally {
    entry.running = null
  }
}

export function createUploadShelf(upload: Upload): UploadShelf {
  const entries = new Map<string, Entry>()
  const store = createStore()
  const inTurn = createQueue(AT_ONCE)
  const begin = (entry: Entry): Promise<string> => {
    if (entry.state.status === 'done') return Promise.resolve(entry.state.id)
    if (entry.bring === null) return Promise.reject(new Error('this file is gone'))
    entry.running ??= run({ inTurn, notify: store.changed }, entry, entry.bring)
    return entry.running
  }
  const add = (key: string, entry: Pick<Entry, 'bring' | 'blob'>, id?: string) => {
    const state: UploadState = id === undefined ? { status: 'waiting' } : { status: 'done', id }
    const added: Entry = { ...entry, state, running: null, stop: null }
    entries.set(key, added)
    begin(added).catch(() => undefined)
  }
  return {
    put: (key, blob, name, id) =>
      add(key, { bring: (options) => upload(blob, name, options), blob }, id),
    putCopy: (key, copy) => add(key, { bring: copy, blob: null }),
    markUploaded: (key, id) => {
      const { bring = null, blob = null } = entries.get(key) ?? {}
      add(key, { bring, blob }, id)
    },
    has: (key) => entries.has(key),
    idOf: (key) => {
      const entry = entries.get(key)
      return entry ? begin(entry) : Promise.reject(new Error('no such file'))
    },
    stateOf: (key) => entries.get(key)?.state ?? { status: 'waiting' },
    drop: (key) => {
      const entry = entries.get(key)
      entries.delete(key)
      entry?.stop?.abort(new Error('taken away'))
      store.changed()
    },
    markLost: (id) => {
      const entry = [...entries.values()].find(
        ({ state }) => state.status === 'done' && state.id === id,
      )
      if (!entry?.blob) return false
      entry.state = { status: 'waiting' }
      return true
    },
    blobs: () =>
      [...entries].flatMap(([key, { blob }]) => (blob ? [[key, blob] as [string, Blob]] : [])),
    known: () =>
      [...entries].flatMap(([key, { state }]) =>
        state.status === 'done' ? [[key, state.id] as [string, string]] : [],
      ),
    onChange: store.listen,
  }
}
