/** Loads parts of the app when they are first needed, so that a page shows without them. */
import { type ComponentType, createElement, lazy, useState } from 'react'
import { serverAnswers } from './reload-on-upgrade.ts'
import { createBackoff } from './time/backoff.ts'
import { dismissToast, toastError } from './toast-store.ts'

/** `fetchAhead`: before it is rendered, so that nothing waits for it then. */
export type LazyPart<Props> = ComponentType<Props> & { fetchAhead(): Promise<void> }

/** A component that is loaded when it is first rendered; `Suspense` around it shows the fallback. */
export const lazyPart = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyPart<Props> => {
  let known: ComponentType<Props> | undefined
  const Lazy = lazy(async () => {
    known = await fetchPart(load)
    return { default: known }
  }) as unknown as ComponentType<Props>
  function Part(props: Props) {
    // React shows the fallback for 300 ms or more also for what is there already, and takes another component for a new one.
    const [Chosen] = useState(() => known ?? Lazy)
    return createElement(Chosen, props)
  }
  const fetchAhead = async () => {
    // What fails now is loaded when it is needed.
    known ??= await load().catch(() => undefined)
  }
  return Object.assign(Part, { fetchAhead })
}

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
