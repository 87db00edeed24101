/** Loads parts of the app when they are first needed, so that a page shows without them. */
import { type ComponentType, lazy } from 'react'
import { serverAnswers } from './reload-on-upgrade.ts'
import { createBackoff } from './time/backoff.ts'
import { dismissToast, toastError } from './toast-store.ts'

/** A component that is loaded when it is first rendered; `Suspense` around it shows the fallback. */
export const lazyPart = <Props>(load: () => Promise<ComponentType<Props>>) =>
  lazy(async () => ({ default: await fetchPart(load) }))

/**
 * Retries while the connection is lost, so that the page stays.
 * @throws what `load` throws when the server answers but has no such script
 */
export async function fetchPart<Part>(load: () => Promise<Part>): Promise<Part> {
  let told: number | undefined
  const backoff = createBackoff({ firstMs: 1_000, longestMs: 30_000 })
  while (true) {
    try {
      const part = await load()
      if (told !== undefined) dismissToast(told)
      return part
    } catch {
      // The server answers: a script that fails once more does not exist.
      if (await serverAnswers()) return load()
    }
    told ??= toastError('No connection. This opens as soon as the connection is back.')
    await backoff.wait()
  }
}
