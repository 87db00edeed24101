/** The parts of a long page, one below the other, and the way to each where there is room beside them. */
import { useIsFetching } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

export type SettingsSection = { id: string; title: string; card: ReactNode }

export function Sections({ sections }: { sections: readonly SettingsSection[] }) {
  return sections.map((section) => <Section key={section.id} {...section} />)
}

function Section({ id, card }: SettingsSection) {
  const place = useRef<HTMLDivElement>(null)
  const isWanted = useLocation().hash === `#${id}`
  // What is above it grows while it loads.
  const isStill = useIsFetching() === 0
  useEffect(() => {
    if (isWanted && isStill) place.current?.scrollIntoView()
  }, [isWanted, isStill])
  return (
    <div ref={place} id={id} className="scroll-mt-20">
      {card}
    </div>
  )
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
    <nav aria-label="Parts of this page" className="sticky top-20 hidden xl:block">
      <ul className="grid gap-0.5 border-line border-l">
        {sections.map(({ id, title }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              onClick={(event) => {
                event.preventDefault()
                show(id)
              }}
              className="block rounded-r-md px-3 py-1.5 text-sm text-soft hover:bg-hover hover:text-ink"
            >
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
