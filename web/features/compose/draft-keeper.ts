/**
 * When a draft is saved: a moment after the last word, one save at a time, again and again until the server has it. Knows
 * nothing of what is saved (decision 027).
 */

export type SaveState =
  /** Nothing was written. */
  | 'untouched'
  | 'unsaved'
  | 'saving'
  | 'saved'
  /** No answer, or not now: it is tried again. */
  | 'waiting'
  /** The server does not want it as it is: tried again when it changes. */
  | 'refused'

/** `afterSeconds`: the server asks for that wait at least. */
export type SaveOutcome = 'saved' | 'refused' | { afterSeconds: number }

const PAUSE_MS = 1_500
/** Of somebody who never pauses. */
const LONGEST_WAIT_MS = 10_000
const FIRST_RETRY_MS = 2_000
const LONGEST_RETRY_MS = 30_000
/** Whatever wait is asked for. */
const LONGEST_ASKED_MS = 600_000

export type DraftKeeper = {
  changed(): void
  state(): SaveState
  /** Saves what is not saved, now; answers how it ended. */
  flush(): Promise<SaveState>
  /** The trouble may be over. */
  retry(): void
  /** No save from now on; resolves when none is under way. */
  stop(): Promise<void>
  resume(): void
  /** As `stop`, for good. */
  end(): Promise<void>
}

export function createDraftKeeper(
  save: () => Promise<SaveOutcome>,
  onState: (state: SaveState) => void,
): DraftKeeper {
  let state: SaveState = 'untouched'
  let timer: ReturnType<typeof setTimeout> | undefined
  let waitsSince = 0
  let failures = 0
  let [isStopped, isEnded] = [false, false]
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
    if (typeof outcome === 'object') {
      become('waiting')
      const pauseMs = Math.min(FIRST_RETRY_MS * 2 ** failures, LONGEST_RETRY_MS)
      failures += 1
      later(Math.max(pauseMs, Math.min(outcome.afterSeconds * 1000, LONGEST_ASKED_MS)))
      return
    }
    failures = 0
    become(outcome === 'saved' && isStale ? 'unsaved' : outcome)
    if (isStale) later(PAUSE_MS)
  }
  const run = async (): Promise<void> => {
    if (isStopped) return
    saving ??= saveNow().finally(() => {
      saving = null
    })
    await saving
  }
  const stop = async () => {
    isStopped = true
    clearTimeout(timer)
    await saving
  }
  return {
    state: () => state,
    changed: () => {
      const now = Date.now()
      if (waitsSince === 0) waitsSince = now
      if (saving !== null || state === 'waiting') return
      become('unsaved')
      later(Math.max(0, Math.min(PAUSE_MS, waitsSince + LONGEST_WAIT_MS - now)))
    },
    flush: async () => {
      await saving
      if (state === 'waiting' || state === 'refused') await run()
      // Somebody may write on while it is saved.
      while (state === 'unsaved' && !isStopped) await run()
      return state
    },
    retry: () => {
      if ((state === 'waiting' || state === 'refused') && saving === null) void run()
    },
    stop,
    resume: () => {
      if (isEnded) return
      isStopped = false
      if (state !== 'saved' && state !== 'untouched') later(PAUSE_MS)
    },
    end: () => {
      isEnded = true
      return stop()
    },
  }
}
