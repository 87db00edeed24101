import { lazy, Suspense, useEffect } from 'react'
import { Outlet } from 'react-router'
import { useToasts } from '#web/lib/toast-store.ts'
import { useHeadingFocus } from './use-heading-focus.ts'

const loadToaster = () => import('./toaster.tsx')
const Toaster = lazy(async () => ({ default: (await loadToaster()).Toaster }))

/** Around every page: what is shown above all of them. */
export function RootLayout() {
  const hasToast = useToasts().length > 0
  useHeadingFocus()
  // The first touch of the page fetches the toaster, so that it is there before anything can fail.
  useEffect(() => {
    const options = { once: true, capture: true }
    const fetchToaster = () => void loadToaster().catch(() => undefined)
    addEventListener('pointerdown', fetchToaster, options)
    addEventListener('keydown', fetchToaster, options)
    return () => {
      removeEventListener('pointerdown', fetchToaster, options)
      removeEventListener('keydown', fetchToaster, options)
    }
  }, [])
  return (
    <>
      <Outlet />
      {hasToast && (
        <Suspense>
          <Toaster />
        </Suspense>
      )}
    </>
  )
}
