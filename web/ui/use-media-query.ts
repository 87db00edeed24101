import { useSyncExternalStore } from 'react'

export const MOBILE_BREAKPOINT_PX = 768

export const useMediaQuery = (query: string): boolean =>
  useSyncExternalStore(
    (listener) => {
      const list = matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    () => matchMedia(query).matches,
  )

export const useIsMobile = (): boolean =>
  useMediaQuery(`(max-width: ${MOBILE_BREAKPOINT_PX - 1}px)`)
