import { Tabs as Radix } from 'radix-ui'
import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react'

export type Tab = { value: string; label: string; content: ReactNode }

type TabsProps = {
  'aria-label': string
  tabs: readonly Tab[]
  value: string
  onValueChange: (value: string) => void
}

/** The library focuses a clicked tab by script, which may show the keyboard's focus ring; a mouse click alone does not. */
const insteadOfLibrary = (press: () => void) => (event: MouseEvent) => {
  event.stopPropagation()
  if (event.button === 0 && !event.ctrlKey) press()
}

export function Tabs({ tabs, value, onValueChange, ...rest }: TabsProps) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The open tab may stand beyond the edge of a narrow screen. Only the list scrolls, not the page.
    const open = list.current?.querySelector<HTMLElement>(`[id$="trigger-${value}"]`)
    if (!list.current || !open) return
    const over =
      open.offsetLeft + open.offsetWidth - list.current.offsetLeft - list.current.clientWidth
    if (over > list.current.scrollLeft) list.current.scrollLeft = Math.ceil(over) + 1
  }, [value])
  return (
    <Radix.Root
      value={value}
      onValueChange={onValueChange}
      // Focus that returns from the dialog about unsaved changes must not switch the tab and ask again.
      activationMode="manual"
      className="grid gap-6"
    >
      <Radix.List
        ref={list}
        aria-label={rest['aria-label']}
        // The triggers overlap the line below them by a pixel, which alone would bring a scroll bar.
        className="flex gap-x-6 overflow-x-auto overflow-y-hidden border-line border-b md:flex-wrap"
      >
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            onMouseDownCapture={insteadOfLibrary(() => onValueChange(tab.value))}
            className="-mb-px whitespace-nowrap border-transparent border-b-2 px-0.5 py-2.5 font-medium text-soft text-sm transition-colors -outline-offset-2 hover:text-ink data-[state=active]:border-accent-ink data-[state=active]:text-ink"
          >
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.value} value={tab.value} className="min-w-0">
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}
