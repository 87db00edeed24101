/** The command palette. It is loaded when it is first wanted; the keys pressed until then count. */
import { Search } from 'lucide-react'
import { Suspense, useEffect, useEffectEvent, useState } from 'react'
import { lazyPart } from '#web/lib/fetch-part.ts'

const loadPalette = () => import('./command-palette.tsx')
const CommandPalette = lazyPart(async () => (await loadPalette()).CommandPalette)

/** Loads the palette when Ctrl or Cmd goes down, because K may follow. */
export const fetchPalette = (event: globalThis.KeyboardEvent) => {
  if (event.key === 'Control' || event.key === 'Meta') void loadPalette().catch(() => undefined)
}

type PaletteProps = { isOpen: boolean; onOpenChange: (isOpen: boolean) => void }

export function Palette({ isOpen, onOpenChange }: PaletteProps) {
  const [typed, setTyped] = useState('')
  const [isEntered, setEntered] = useState(false)
  const type = (text: string) => {
    setTyped(text)
    setEntered(false)
  }
  const change = (next: boolean) => {
    type('')
    onOpenChange(next)
  }
  const awaited = { typed, onType: type, onEnter: () => setEntered(true) }
  const line = { typed, onType: type, isEntered }
  return (
    <Suspense fallback={isOpen && <AwaitedPalette {...awaited} onClose={() => change(false)} />}>
      <CommandPalette {...line} isOpen={isOpen} onOpenChange={change} />
    </Suspense>
  )
}

type AwaitedPaletteProps = {
  typed: string
  onType: (typed: string) => void
  onEnter: () => void
  onClose: () => void
}

/** In its place until it is loaded: without it the keys would be those of the page behind. */
function AwaitedPalette({ typed, onType, onEnter, onClose }: AwaitedPaletteProps) {
  const close = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose()
  })
  // A drawer that is closing still has the focus.
  useEffect(() => {
    addEventListener('keydown', close, { capture: true })
    return () => removeEventListener('keydown', close, { capture: true })
  }, [])
  return (
    <div
      role="dialog"
      aria-label="Command palette"
      className="fixed top-[12vh] left-1/2 z-50 w-[calc(100%-2rem)] max-w-lg -translate-x-1/2 animate-rise rounded-2xl border border-line bg-surface shadow-floating"
    >
      <div className="flex items-center gap-2.5 px-4">
        <Search className="size-4 shrink-0 text-soft" aria-hidden />
        <input
          // biome-ignore lint/a11y/noAutofocus: it opened for what is typed now
          autoFocus
          aria-label="Command palette"
          value={typed}
          onChange={({ target }) => onType(target.value)}
          onKeyDown={({ key }) => key === 'Enter' && onEnter()}
          placeholder="Type a command or search..."
          className="h-12 w-full bg-transparent text-sm outline-none placeholder:text-soft max-md:text-base"
        />
      </div>
    </div>
  )
}
