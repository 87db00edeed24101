/** Parts of the app are fetched when they are first wanted, so that a page shows without them. */
import { type ComponentType, lazy } from 'react'
import { serverAnswers } from './reload-on-upgrade.ts'
import { pause } from './time/pause.ts'
import { dismissToast, toastError } from './toast-store.ts'

const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 30_000
const NEVER = new AbortController().signal

/** A component that is fetched when it is first shown; `Suspense` around it says what stands there until then. */
export const lazyPart = <Props>(load: () => Promise<ComponentType<Props>>) =>
  lazy(async () => ({ default: await fetchPart(load) }))

/**
 * Waits for a lost line to be back, since nobody should lose a page for what it has not fetched yet.
 * @throws what `load` throws, when the server answers and has no such script any more
 */
export async function fetchPart<Part>(load: () => Promise<Part>): Promise<Part> {
  let told: number | undefined
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
    try {
      const part = await load()
      if (told !== undefined) dismissToast(told)
      return part
    } catch {
      // Back already: what fails once more is not there.
      if (await serverAnswers()) return load()
    }
    told ??= toastError('No connection. This opens as soon as it is back.')
    await pause(waitMs, NEVER)
  }
}
