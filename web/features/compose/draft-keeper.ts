/**
 * Decides when a draft is saved: shortly after the last change, one save at a time, with retries until the server has it.
 * Knows nothing of what is saved (decision 027).
 */
import { createBackoff } from '#web/lib/time/backoff.ts'

export type SaveState =
  /** Nothing was written. */
  | 'untouched'
  | 'unsaved'
  | 'saving'
  | 'saved'
  /** No answer, or the server is busy: a retry follows. */
  | 'waiting'
  /** The server refuses the content: retried when it changes. */
  | 'refused'

/** `afterSeconds`: least wait that the server asks for before the retry. */
export type SaveOutcome = 'saved' | 'refused' | { afterSeconds: number }

const PAUSE_MS = 1_500
/** For a writer who never pauses. */
const MAX_UNSAVED_MS = 10_000

export type DraftKeeper = {
  changed(): void
  state(): SaveState
  /** Saves unsaved changes now; resolves with the final state. */
  flush(): Promise<SaveState>
  /** Retries now, because the cause of the failure may be gone. */
  retry(): void
  /** Stops saving; resolves when no save is running. */
  stop(): Promise<void>
  resume(): void
  /** Like `stop`, but `resume` has no effect afterwards. */
  end(): Promise<void>
}

export function createDraftKeeper(
  save: () => Promise<SaveOutcome>,
  onState: (state: SaveState) => void,
): DraftKeeper {
  let state: SaveState = 'untouched'
  let timer: ReturnType<typeof setTimeout> | undefined
  let changedSince = 0
  const backoff = createBackoff({ firstMs: 2_000, longestMs: 30_000 })
  let [isStopped, isEnded] = [false, false]
  let saving: Promise<void> | null = null
  const setState = (next: SaveState) => {
    state = next
    onState(next)
  }
  const schedule = (ms: number) => {
    clearTimeout(timer)
    if (!isStopped) timer = setTimeout(() => void run(), ms)
  }
  const saveNow = async () => {
    clearTimeout(timer)
    changedSince = 0
    setState('saving')
    const outcome = await save()
    const hasNewChanges = changedSince > 0
    if (typeof outcome === 'object') {
      setState('waiting')
      schedule(backoff.nextMs(outcome.afterSeconds))
      return
    }
    backoff.reset()
    setState(outcome === 'saved' && hasNewChanges ? 'unsaved' : outcome)
    if (hasNewChanges) schedule(PAUSE_MS)
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
      if (changedSince === 0) changedSince = now
      if (saving !== null || state === 'waiting') return
      setState('unsaved')
      schedule(Math.max(0, Math.min(PAUSE_MS, changedSince + MAX_UNSAVED_MS - now)))
    },
    flush: async () => {
      await saving
      if (state === 'waiting' || state === 'refused') await run()
      // The writer may change the text during the save.
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
      if (state !== 'saved' && state !== 'untouched') schedule(PAUSE_MS)
    },
    end: () => {
      isEnded = true
      return stop()
    },
  }
}
