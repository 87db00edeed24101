import { type ReactNode, useEffect, useRef } from 'react'
import { Card } from '#web/ui/data/card.tsx'

type StepPanelProps = {
  title: string
  description?: ReactNode
  aside?: ReactNode
  /** true: a click led to this step, so its heading takes the focus. */
  takesFocus: boolean
  /** Status at the bottom left. */
  note?: ReactNode
  buttons: ReactNode
  children: ReactNode
}

/** One step of the wizard: its content, and its buttons at the bottom. */
export function StepPanel(props: StepPanelProps) {
  const { title, description, aside, takesFocus, note, buttons, children } = props
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (takesFocus) heading.current?.focus()
  }, [takesFocus])
  return (
    <Card className="overflow-clip">
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 px-5 pt-5 pb-4 sm:px-6">
        <div className="grid min-w-0 gap-1">
          <h2
            ref={heading}
            tabIndex={-1}
            className="font-semibold text-base tracking-tight outline-none"
          >
            {title}
          </h2>
          {description && <p className="max-w-2xl text-pretty text-soft text-sm">{description}</p>}
        </div>
        {aside}
      </header>
      {children}
      <footer
        data-stays-in-view
        className="sticky bottom-0 flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-line border-t bg-sunken px-5 py-3.5 max-sm:py-2.5 sm:px-6"
      >
        {note && <div className="min-w-0 flex-1 basis-56 text-soft text-xs">{note}</div>}
        <div className="ml-auto flex flex-wrap gap-2 max-sm:w-full max-sm:[&>button]:flex-1">
          {buttons}
        </div>
      </footer>
    </Card>
  )
}

export const STEPS = ['Add domain', 'Verify domain', 'Verify DNS', 'Finish'] as const
export const ADD = 0
export const VERIFY_DOMAIN = 1
export const VERIFY_DNS = 2
export const FINISH = 3

export type Progress = { hasDomain: boolean; isOwned: boolean; isDnsVerified: boolean }

/**
 * The four steps of adding a domain. Returns where a click on a step leads: that step, a sentence on what comes first,
 * or null for nowhere.
 */
export function navigateTo(
  target: number,
  current: number,
  progress: Progress,
): { step: number } | { refusal: string } | null {
  if (target === ADD && current === FINISH) return null
  if (target > ADD && !progress.hasDomain) return { refusal: 'Please create a domain first' }
  if (target > VERIFY_DOMAIN && !progress.isOwned)
    return { refusal: 'Please verify ownership first' }
  if (target > VERIFY_DNS && !progress.isDnsVerified)
    return { refusal: 'Please verify all DNS records first' }
  return { step: target }
}

/** Reads the step from the state of a history entry; null when it has none. */
export function stepFromHistory(state: unknown): number | null {
  const step = typeof state === 'object' && state !== null && 'step' in state ? state.step : null
  return typeof step === 'number' && STEPS[step] !== undefined ? step : null
}

/** Limits a step from the history to what is verified now. */
export function limitStep(step: number, progress: Progress): number {
  const last = !progress.isOwned ? VERIFY_DOMAIN : !progress.isDnsVerified ? VERIFY_DNS : FINISH
  return Math.min(step, last)
}
