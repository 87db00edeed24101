/**
 * Files of a message on their way to the server: each is uploaded once, however often the message is saved. One that did not
 * arrive is tried again when it is asked for. Knows nothing of the screen.
 */

export type UploadState =
  | { status: 'waiting' }
  | { status: 'uploading'; part: number }
  | { status: 'done'; id: string }
  | { status: 'failed'; error: unknown }

type Upload = (
  file: Blob,
  name: string,
  options: { signal: AbortSignal; onProgress: (part: number) => void },
) => Promise<string>

type Entry = {
  state: UploadState
  file: { blob: Blob; name: string } | null
  going: Promise<string> | null
  stop: AbortController | null
}

export type UploadShelf = {
  /** Puts a file on the shelf under a key, and begins; with an `id` the server has it already. */
  put(key: string, blob: Blob, name: string, id?: string): void
  /** The server has this one already. */
  know(key: string, id: string): void
  has(key: string): boolean
  /** Resolves when it is uploaded. @throws what the upload threw. */
  idOf(key: string): Promise<string>
  stateOf(key: string): UploadState
  /** Takes it off the shelf; an upload that is under way ends. */
  drop(key: string): void
  /** The server does not have this one any more. @returns whether it can be uploaded again. */
  lost(id: string): boolean
  blobs(): [key: string, blob: Blob][]
  known(): [key: string, id: string][]
  onChange(listener: () => void): () => void
}

/** So many at once. */
const AT_ONCE = 2

/** Lets few go at a time, in order. */
function createTurns(atOnce: number): <T>(run: () => Promise<T>) => Promise<T> {
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

type Means = { upload: Upload; inTurn: ReturnType<typeof createTurns>; tell: () => void }

async function run(
  { upload, inTurn, tell }: Means,
  entry: Entry,
  { blob, name }: { blob: Blob; name: string },
): Promise<string> {
  const stop = new AbortController()
  entry.stop = stop
  const become = (state: UploadState) => {
    entry.state = state
    tell()
  }
  become({ status: 'waiting' })
  try {
    const id = await inTurn(async () => {
      stop.signal.throwIfAborted()
      const onProgress = (part: number) => become({ status: 'uploading', part })
      onProgress(0)
      return upload(blob, name, { signal: stop.signal, onProgress })
    })
    become({ status: 'done', id })
    return id
  } catch (error) {
    become({ status: 'failed', error })
    throw error
  } finally {
    entry.going = null
  }
}

export function createUploadShelf(upload: Upload): UploadShelf {
  const entries = new Map<string, Entry>()
  const listeners = new Set<() => void>()
  const inTurn = createTurns(AT_ONCE)
  const tell = () => {
    for (const listener of listeners) listener()
  }
  const begin = (entry: Entry): Promise<string> => {
    if (entry.state.status === 'done') return Promise.resolve(entry.state.id)
    if (entry.file === null) return Promise.reject(new Error('this file is gone'))
    entry.going ??= run({ upload, inTurn, tell }, entry, entry.file)
    return entry.going
  }
  return {
    put: (key, blob, name, id) => {
      const entry: Entry = {
        state: id === undefined ? { status: 'waiting' } : { status: 'done', id },
        file: { blob, name },
        ...{ going: null, stop: null },
      }
      entries.set(key, entry)
      begin(entry).catch(() => undefined)
    },
    know: (key, id) => {
      const file = entries.get(key)?.file ?? null
      entries.set(key, { state: { status: 'done', id }, file, going: null, stop: null })
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
      tell()
    },
    lost: (id) => {
      const entry = [...entries.values()].find(
        ({ state }) => state.status === 'done' && state.id === id,
      )
      if (!entry?.file) return false
      entry.state = { status: 'waiting' }
      return true
    },
    blobs: () =>
      [...entries].flatMap(([key, { file }]) => (file ? [[key, file.blob] as [string, Blob]] : [])),
    known: () =>
      [...entries].flatMap(([key, { state }]) =>
        state.status === 'done' ? [[key, state.id] as [string, string]] : [],
      ),
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
