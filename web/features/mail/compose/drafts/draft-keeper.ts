/**
 * When a draft is saved: a moment after the last word, one save at a time, again and again until the server has it. Knows
 * nothing of what is saved.
 */

export type SaveState =
  /** Nothing was written. */
  | 'untouched'
  | 'unsaved'
  | 'saving'
  | 'saved'
  /** No answer: it is tried again. */
  | 'offline'
  /** The server does not want it as it is: tried again when it changes. */
  | 'refused'

export type SaveOutcome = 'saved' | 'offline' | 'refused'

const PAUSE_MS = 1_500
/** Of somebody who never pauses. */
const LONGEST_WAIT_MS = 10_000
const FIRST_RETRY_MS = 2_000
const LONGEST_RETRY_MS = 30_000

export type DraftKeeper = {
  changed(): void
  /** Saves what is not saved, now; answers how it ended. */
  flush(): Promise<SaveState>
  /** The connection may be back. */
  retry(): void
  /** No save from now on; resolves when none is under way. */
  stop(): Promise<void>
  resume(): void
}

export function createDraftKeeper(
  save: () => Promise<SaveOutcome>,
  onState: (state: SaveState) => void,
): DraftKeeper {
  let state: SaveState = 'untouched'
  let timer: ReturnType<typeof setTimeout> | undefined
  let waitsSince = 0
  let failures = 0
  let isStopped = false
  let saving: Promise<void> | null = null
  const become = (next: SaveState) => {
    state = next
    onState(next)
  }
  const later = (ms: number) => {
    clearTimeout(timer)
    if (!isStopped) timer = setTimeout(() => void run(), ms)
  }
  const saveNow = async () => {
    clearTimeout(timer)
    waitsSince = 0
    become('saving')
    const outcome = await save()
    const isStale = waitsSince > 0
    failures = outcome === 'offline' ? failures + 1 : 0
    if (outcome !== 'saved') become(outcome)
    else become(isStale ? 'unsaved' : 'saved')
    if (outcome === 'offline')
      later(Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LONGEST_RETRY_MS))
    else if (isStale) later(PAUSE_MS)
  }
  const run = async (): Promise<void> => {
    if (isStopped) return
    saving ??= saveNow().finally(() => {
      saving = null
    })
    await saving
  }
  return {
    changed: () => {
      const now = Date.now()
      if (waitsSince === 0) waitsSince = now
      if (saving === null && state !== 'offline') become('unsaved')
      if (saving === null && state !== 'offline')
        later(Math.max(0, Math.min(PAUSE_MS, waitsSince + LONGEST_WAIT_MS - now)))
    },
    flush: async () => {
      await saving
      if (state === 'offline' || state === 'refused') await run()
      // Somebody may write on while it is saved.
      while (state === 'unsaved' && !isStopped) await run()
      return state
    },
    retry: () => {
      if (state === 'offline' && saving === null) void run()
    },
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await saving
    },
    resume: () => {
      isStopped = false
      if (state !== 'saved' && state !== 'untouched') later(PAUSE_MS)
    },
  }
}
