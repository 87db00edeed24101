/** The parts of a long page, one below the other, and the way to each: beside them, or in a narrow place above them. */
import { useIsFetching, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { cn } from '#web/ui/cn.ts'

export type SettingsSection = { id: string; title: string; card: ReactNode }

/**
 * Whoever follows a link to one part (`#id`) sees that one at once, alone on the screen until everything is read: then
 * nothing below it is moved while it grows. What is above it grows out of sight.
 */
export function Sections({ sections }: { sections: readonly SettingsSection[] }) {
  const { hash } = useLocation()
  const isStill = useStill()
  const wanted = sections.findIndex(({ id }) => hash === `#${id}`)
  const isAwaited = wanted >= 0 && !isStill
  const place = useRef<HTMLDivElement>(null)
  // Before it is painted: the page would be seen to jump.
  useLayoutEffect(() => {
    // Again when it is still: then the page is as long as it will be.
    if (isAwaited || isStill) place.current?.scrollIntoView()
  }, [isAwaited, isStill])
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

/** Whether all that was asked for since the page came has been answered once. */
function useStill(): boolean {
  const [isStill, setStill] = useState(false)
  const client = useQueryClient()
  const asked = useIsFetching()
  useEffect(() => {
    // Not `asked`: what the parts have just begun to ask is not in it yet.
    if (asked === 0 && client.isFetching() === 0) setStill(true)
  }, [asked, client])
  return isStill
}

/** Follows without a step of history, so that nothing that was typed is asked about. */
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
