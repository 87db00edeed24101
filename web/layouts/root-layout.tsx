import { type ComponentType, useEffect, useState } from 'react'
import { Outlet } from 'react-router'
import { useToasts } from '#web/lib/toast-store.ts'
import { Spinner } from '#web/ui/state/loading.tsx'
import { useHeadingFocus } from './use-heading-focus.ts'

/** Around every page: what is shown above all of them. */
export function RootLayout() {
  const hasToast = useToasts().length > 0
  const Toaster = useToaster(hasToast)
  useHeadingFocus()
  return (
    <>
      <Outlet />
      {hasToast && Toaster && <Toaster />}
    </>
  )
}

/**
 * Loads the toaster on the first key or click, so that it is there before a call can fail. When the connection is lost already,
 * the toast waits until it is back, and the page stays.
 */
function useToaster(isWanted: boolean): ComponentType | null {
  const [toaster, setToaster] = useState<{ Toaster: ComponentType } | null>(null)
  const isMissing = toaster === null
  useEffect(() => {
    if (!isMissing) return
    const load = () => void import('./toaster.tsx').then(setToaster, () => undefined)
    if (isWanted) load()
    const touches = ['pointerdown', 'keydown', 'online'] as const
    for (const touch of touches) addEventListener(touch, load, { capture: true })
    return () => {
      for (const touch of touches) removeEventListener(touch, load, { capture: true })
    }
  }, [isWanted, isMissing])
  return toaster?.Toaster ?? null
}

/** Shown while the session is loading. Appears after a delay, so that quick starts show nothing. */
export function Splash() {
  return (
    <div className="grid min-h-dvh place-items-center text-soft">
      <div role="status" className="flex animate-late items-center gap-2.5 text-sm">
        <Spinner />
        Loading...
      </div>
    </div>
  )
}
