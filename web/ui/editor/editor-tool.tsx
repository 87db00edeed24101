import type { ComponentType, KeyboardEvent, ReactNode } from 'react'
import { cn } from '../cn.ts'

type ToolProps = {
  label: string
  icon: ComponentType<{ className?: string; 'aria-hidden'?: boolean }>
  /** For buttons that stay pressed. */
  isOn?: boolean | undefined
  /** Reached by arrow keys alone. */
  isWithin?: boolean
  onPress: () => void
}

export function Tool({ label, icon: Icon, isOn, isWithin = false, onPress }: ToolProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-pressed={isOn}
      tabIndex={isWithin ? -1 : 0}
      // The text keeps its selection.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onPress}
      className={cn(
        'grid size-8 place-items-center rounded-md text-soft -outline-offset-2 hover:bg-hover hover:text-ink',
        isOn && 'bg-accent-wash text-accent-ink',
      )}
    >
      <Icon className="size-4" aria-hidden />
    </button>
  )
}

export function Toolbar({ children }: { children: ReactNode }) {
  return (
    <div
      role="toolbar"
      aria-label="Formatting"
      onKeyDown={moveAmongButtons}
      className="flex shrink-0 flex-wrap gap-0.5 border-line border-b bg-sunken p-1"
    >
      {children}
    </div>
  )
}

/** Arrow keys walk the toolbar, as its role promises. */
function moveAmongButtons(event: KeyboardEvent<HTMLDivElement>): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
  const at = document.activeElement
  if (!step || !(at instanceof HTMLButtonElement)) return
  const buttons = [...event.currentTarget.querySelectorAll('button')]
  buttons[(buttons.indexOf(at) + step + buttons.length) % buttons.length]?.focus()
  event.preventDefault()
}
