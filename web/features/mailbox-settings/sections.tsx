/** The parts of a long page, and links to them: beside them, or in a narrow place above them. */
import { useIsFetching, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { cn } from '#web/ui/cn.ts'

export type SettingsSection = { id: string; title: string; card: ReactNode }

/**
 * A link to one part (`#id`) shows that part at once and hides the others below it until everything has loaded, so that
 * nothing visible moves. Parts above it grow out of sight.
 */
export function Sections({ sections }: { sections: readonly SettingsSection[] }) {
  const { hash } = useLocation()
  const isStill = useStill()
  const wanted = sections.findIndex(({ id }) => hash === `#${id}`)
  const isAwaited = wanted >= 0 && !isStill
  const place = useRef<HTMLDivElement>(null)
  // A layout effect, before the paint: otherwise the page would visibly jump.
  useLayoutEffect(() => {
    // Once more when everything has loaded: only then the page has its final height.
    // And when another part is wanted while the page is open.
    if (wanted >= 0 && (isAwaited || isStill)) place.current?.scrollIntoView()
  }, [isAwaited, isStill, wanted])
  useLayoutEffect(() => {
    const part = place.current
    if (!isAwaited || !part?.parentElement) return
    // Called before the paint. What the browser does by itself comes a frame late at times.
    const observer = new ResizeObserver(() => part.scrollIntoView())
    observer.observe(part.parentElement)
    return () => observer.disconnect()
  }, [isAwaited])
  return sections.map(({ id, card }, n) => (
    <div
      key={id}
      id={id}
      ref={n === wanted ? place : undefined}
      className={cn(
        'scroll-mt-20',
        isAwaited && n === wanted && 'min-h-dvh',
        isAwaited && n > wanted && 'hidden',
      )}
    >
      {card}
    </div>
  ))
}

/** Whether all requests since the page opened have been answered once. */
function useStill(): boolean {
  const [isStill, setStill] = useState(false)
  const client = useQueryClient()
  const asked = useIsFetching()
  useEffect(() => {
    // Asks the client again: `asked` does not count the requests that the parts have just started.
    if (asked === 0 && client.isFetching() === 0) setStill(true)
  }, [asked, client])
  return isStill
}

/** Scrolls without a history entry, so that no dialog asks about unsaved changes. */
const show = (id: string): void => {
  const place = document.getElementById(id)
  const heading = place?.querySelector<HTMLElement>('h2')
  place?.scrollIntoView()
  heading?.setAttribute('tabindex', '-1')
  heading?.focus({ preventScroll: true })
}

export function SectionNav({
  sections,
}: {
  sections: readonly Pick<SettingsSection, 'id' | 'title'>[]
}) {
  return (
    <nav
      aria-label="Parts of this page"
      className="max-xl:-mx-4 top-20 max-xl:order-first max-xl:overflow-x-auto max-xl:px-4 xl:sticky"
    >
      <ul className="flex gap-2 border-line xl:grid xl:gap-0.5 xl:border-l">
        {sections.map(({ id, title }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              onClick={(event) => {
                event.preventDefault()
                show(id)
              }}
              className="block whitespace-nowrap rounded-full border border-line bg-surface px-3 py-1.5 text-sm text-soft -outline-offset-2 hover:bg-hover hover:text-ink xl:rounded-l-none xl:rounded-r-md xl:border-0 xl:bg-transparent"
            >
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
