import { useSyncExternalStore } from 'react'
import { useInBrowser } from './use-in-browser.ts'

export const MOBILE_BREAKPOINT_PX = 768

export const useMediaQuery = (query: string): boolean =>
  useSyncExternalStore(
    (listener) => {
      const list = matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    () => matchMedia(query).matches,
    // The server does not know the width; its HTML must be right by CSS alone.
    () => false,
  )

export const useIsMobile = (): boolean =>
  useMediaQuery(`(max-width: ${MOBILE_BREAKPOINT_PX - 1}px)`)

const isApple = () => /mac|iphone|ipad/i.test(navigator.userAgent)

/** Whether the keyboard has a Command key. The server renders the keys of other keyboards. */
export const useIsApple = (): boolean => useInBrowser(isApple, false)
