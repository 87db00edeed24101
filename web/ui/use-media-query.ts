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
    // The server cannot know; what it draws must be right by its styles alone.
    () => false,
  )

export const useIsMobile = (): boolean =>
  useMediaQuery(`(max-width: ${MOBILE_BREAKPOINT_PX - 1}px)`)

const isApple = () => /mac|iphone|ipad/i.test(navigator.userAgent)

/** Whose keyboards have a Command key. The server draws the others'. */
export const useIsApple = (): boolean => useInBrowser(isApple, false)
